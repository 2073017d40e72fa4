import type { Operator } from '../../engine/context/operator.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Live } from '../../live/live.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import type { Progress } from '../../report/progress/state.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { type Input, usageError } from './inputs.ts';
import type { Stream } from './command.ts';
import type { PausableOutput } from './operator.ts';

/** Address of the `--live` page; port 0 takes any free port. */
export interface LiveFlag {
  readonly host: string;
  readonly port: number;
}

const anyAddress: LiveFlag = { host: '127.0.0.1', port: 0 };

/** `8700`, `192.168.1.20:8700`, `[::1]:8700`. */
const addressPattern = /^(?:\[([\da-fA-F:]+)\]:|([^:[\]/\s]+):)?(\d{1,5})$/;

/** Host as browsers write it: `127.0.0.1` for `127.1`, `::1` for `0:0:0:0:0:0:0:1`; undefined if invalid. */
function normalizeHost(host: string, isSix: boolean): string | undefined {
  const url = `http://${isSix ? `[${host}]` : host}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : undefined;
}

/** Parses a typed address. Throws bad-flag. */
export function parseLive(given: string): LiveFlag {
  const [, six, host = six, port = ''] = addressPattern.exec(given) ?? [];
  const known = host === undefined ? anyAddress.host : normalizeHost(host, six !== undefined);
  if (port !== '' && Number(port) <= 65_535 && known !== undefined) return { host: known, port: Number(port) };
  throw usageError(`--live: "${given}" is no [HOST:]PORT; without one, write --live behind the names`);
}

/** Without an address, any free port of this machine. */
export const liveInput: Input<LiveFlag | undefined> = {
  spec: '--live [address]',
  doc: 'serve a page that shows it as it goes (docs/live.md), at [HOST:]PORT; default: any port of this machine',
  read: (raw) => (raw === true ? anyAddress : typeof raw === 'string' ? parseLive(raw) : undefined),
};

interface LivePageOptions {
  readonly subject: string;
  /** Receives a line when someone on the page takes a question. */
  readonly onTaken?: (words: string) => void;
  readonly stderr: Stream;
}

const exposureNote =
  'anyone on the network who has the address of this page can answer for you, and the traffic is not encrypted';

/** Serves the `--live` page and prints its addresses; undefined without the flag. */
export async function openLivePage(flag: LiveFlag | undefined, opening: LivePageOptions): Promise<Live | undefined> {
  if (flag === undefined) return undefined;
  const { subject, onTaken, stderr } = opening;
  const { openLive } = await import('../../live/live.ts');
  const live = await openLive({ address: flag, subject, ...omitUndefined({ onTaken }) });
  for (const url of live.urls) stderr.write(`live: ${forTerminal(url)}\n`);
  if (live.isOpen) stderr.write(`note: ${exposureNote}\n`);
  return live;
}

/** Prints a line at once, even while a terminal question is open; its countdown is redrawn below. */
export function createNotePrinter(
  progress: Progress,
  stderr: Stream,
): { say: (line: string) => void; quiet: PausableOutput } {
  let isAsking = false;
  return {
    say: (line) => {
      if (isAsking) stderr.write(`\n${line}\n`);
      else progress.event({ kind: 'note', text: line });
    },
    quiet: {
      pause: () => {
        isAsking = true;
        progress.pause();
      },
      resume: () => {
        isAsking = false;
        progress.resume();
      },
    },
  };
}

/** Sends run events to `show` and to the page, which alone receives messages. */
export const forwardEvents =
  (live: Live | undefined, show: (event: ProgressEvent) => void) =>
  (event: ProgressEvent): void => {
    if (event.kind === 'case-started') return;
    live?.event(event);
    if (event.kind !== 'message') show(event);
  };

/** Joins the operators on the page and at the terminal, whichever exist. */
export const joinOperators = (live: Live | undefined, terminal: Operator | undefined): Operator | undefined =>
  live === undefined ? terminal : live.operatorWith(terminal);
