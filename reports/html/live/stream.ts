import { setClock, type Connection } from './strip.ts';
import type { DeskView, LiveState, NumberedItem } from '../../../src/live/views.ts';

export type Listener = {
  desk: (view: DeskView) => void;
  state: (view: LiveState) => void;
  items: (items: readonly NumberedItem[]) => void;
  connection: (words: Connection) => void;
};

/** Silence in milliseconds after which the connection is lost: the run sends something at every heartbeat. */
const silence = 2.5 * Number(document.body.dataset['heartbeat']);
/** Milliseconds that a connection attempt may take, between failed attempts, and between checks. */
const connectTimeout = 10_000;
const reconnectDelay = 1500;
const checkInterval = 1000;

let source: EventSource | undefined;
/** Number of the last item received; a new connection continues after it. */
let lastSeq = 0;
let heardAt = Date.now();
let triedAt = 0;
let isOver = false;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Whether the run has said that it is over, so that it receives nothing any more. */
export const hasEnded = () => isOver;

function read(event: Event): unknown {
  heardAt = Date.now();
  const value: unknown = event instanceof MessageEvent ? JSON.parse(String(event.data)) : undefined;
  return value;
}

// The run's server wrote them: these checks only guard against another version.
const isDesk = (value: unknown): value is DeskView =>
  typeof value === 'object' && value !== null && 'questions' in value;
const isState = (value: unknown): value is LiveState =>
  typeof value === 'object' && value !== null && 'waiting' in value;
const areItems = (value: unknown): value is readonly NumberedItem[] => Array.isArray(value);

function attachListener(from: EventSource, to: Listener) {
  from.addEventListener('ping', (event) => setClock(Number(read(event))));
  from.addEventListener('desk', (event) => {
    const view = read(event);
    if (!isDesk(view)) return;
    setClock(view.now);
    to.desk(view);
  });
  from.addEventListener('state', (event) => {
    const view = read(event);
    if (!isState(view)) return;
    setClock(view.now);
    to.state(view);
    if (view.ended === undefined) return;
    isOver = true;
    to.connection('over');
  });
  from.addEventListener('items', (event) => {
    const items = read(event);
    if (!areItems(items)) return;
    const fresh = items.filter(({ seq }) => seq > lastSeq);
    lastSeq = Math.max(lastSeq, ...fresh.map(({ seq }) => seq));
    to.items(fresh);
  });
}

function open(to: Listener, person: string) {
  clearTimeout(retry);
  source?.close();
  if (isOver) return;
  const query = new URLSearchParams({ person, seq: String(lastSeq) });
  const own = new EventSource(`events?${query}`);
  source = own;
  triedAt = Date.now();
  own.addEventListener('open', () => {
    heardAt = Date.now();
    to.connection('connected');
  });
  attachListener(own, to);
  own.addEventListener('error', () => {
    own.close();
    to.connection(isOver ? 'over' : 'no connection');
    if (!isOver && own === source) retry = setTimeout(() => open(to, person), reconnectDelay);
  });
}

/** Detects a dead connection that raises no error, by its silence. */
function watch(to: Listener, person: string) {
  const now = Date.now();
  if (isOver || now - heardAt <= silence) return;
  to.connection('no connection');
  if (now - triedAt > connectTimeout) open(to, person);
}

/** Listens to the run, and reconnects after a lost connection. */
export function listen(to: Listener, person: string) {
  open(to, person);
  setInterval(() => watch(to, person), checkInterval);
  document.addEventListener('visibilitychange', () => {
    // A phone that slept may have a dead connection.
    if (!document.hidden && Date.now() - heardAt > silence / 2) open(to, person);
  });
}
