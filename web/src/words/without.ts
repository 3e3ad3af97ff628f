/** What is said when not even the words could be loaded. */
import { preferred } from ".";

const SENTENCES: { readonly [code: string]: readonly [sentence: string, button: string] } = {
  en: ["The page could not be loaded. Check your connection, then load it again.", "Load again"],
  es: [
    "No se ha podido cargar la página. Revisa la conexión y vuelve a cargarla.",
    "Volver a cargar",
  ],
  fr: ["La page n'a pas pu être chargée. Vérifie la connexion, puis recharge-la.", "Recharger"],
  pt: [
    "Não foi possível carregar a página. Verifique a conexão e carregue-a de novo.",
    "Carregar de novo",
  ],
};

export function sayWithoutWords(): void {
  const [sentence, words] = SENTENCES[preferred()]!;
  const said = document.createElement("p");
  said.role = "alert";
  said.textContent = sentence;
  const button = document.createElement("button");
  button.textContent = words;
  button.onclick = () => location.reload();
  document.getElementById("app")!.replaceChildren(said, button);
}
