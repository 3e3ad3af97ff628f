/** The connection to a table, of the server or of this device, as a page can follow it. */
import type { Need, Refused, Update, Welcome } from "../protocol";
import type { Listener, Status } from "./connection/connection";
import { Dialogue } from "./connection/dialogue";
import { isLocal } from "../pocket/local";
import { WorkerTransport } from "../pocket/transport";
import { SocketTransport } from "./connection/socket";
import type { OpenTransport } from "./connection/transport";

export type { Connect, Connection, Listener, Status, Unsent } from "./connection/connection";

const toTable: OpenTransport = (code, receiver) =>
  isLocal(code) ? new WorkerTransport(code, receiver) : new SocketTransport(code, receiver);

export class TableConnection extends Dialogue {
  status = $state<Status>("connecting");
  welcome = $state.raw<Welcome | null>(null);
  update = $state.raw<Update | null>(null);
  refusal = $state.raw<Refused | null>(null);
  waiting = $state(false);
  need = $state.raw<Need | null>(null);
  ahead = $state(0);

  constructor(code: string, listener: Listener = {}, transport: OpenTransport = toTable) {
    super(code, listener);
    this.open(transport);
  }
}
