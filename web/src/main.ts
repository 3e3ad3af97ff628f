import { mount } from "svelte";
import App from "./App.svelte";
import "./look/look.css";
import { followLinks } from "./routes.svelte";
import { followSettings, settings } from "./settings.svelte";
import { preferred, speak } from "./words";

followSettings();
await speak(settings.language || preferred());
followLinks();
mount(App, { target: document.getElementById("app")! });
