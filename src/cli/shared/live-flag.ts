import { type Input, usageError } from './inputs.ts';

/** Where the page of `--live` is served; port 0 takes any that is free. */
export interface LiveFlag {
  readonly host: string;
  readonly port: number;
}

const anywhere: LiveFlag = { host: '127.0.0.1', port: 0 };

/** `8700`, `192.168.1.20:8700`, `[::1]:8700`. */
const addressPattern = /^(?:\[([\da-fA-F:]+)\]:|([^:[\]/\s]+):)?(\d{1,5})$/;

/** A host as browsers write it: `127.0.0.1` for `127.1`, `::1` for `0:0:0:0:0:0:0:1`; undefined where it is none. */
function hostAsSent(host: string, isSix: boolean): string | undefined {
  const url = `http://${isSix ? `[${host}]` : host}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : undefined;
}

/** An address as it is typed. Throws bad-flag. */
export function parseLive(given: string): LiveFlag {
  const [, six, host = six, port = ''] = addressPattern.exec(given) ?? [];
  const known = host === undefined ? anywhere.host : hostAsSent(host, six !== undefined);
  if (port !== '' && Number(port) <= 65_535 && known !== undefined) return { host: known, port: Number(port) };
  throw usageError(`--live: "${given}" is no [HOST:]PORT; without one, write --live behind the names`);
}

/** Given without an address it takes any free port of this machine. */
export const live: Input<LiveFlag | undefined> = {
  spec: '--live [address]',
  doc: 'serve a page that shows it as it goes (docs/live.md), at [HOST:]PORT; default: any port of this machine',
  read: (raw) => (raw === true ? anywhere : typeof raw === 'string' ? parseLive(raw) : undefined),
};
