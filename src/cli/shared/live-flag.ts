import { type Input, usageError } from './inputs.ts';

/** Where the page of `--live` is served; port 0 takes any that is free. */
export interface LiveFlag {
  readonly host: string;
  readonly port: number;
}

const anywhere: LiveFlag = { host: '127.0.0.1', port: 0 };

/** `8700`, `192.168.1.20:8700`, `[::1]:8700`. */
const addressPattern = /^(?:\[([\da-fA-F:]+)\]:|([^:[\]/\s]+):)?(\d{1,5})$/;

/** An address as it is typed. Throws bad-flag. */
export function parseLive(given: string): LiveFlag {
  const [, six, host = six, port = ''] = addressPattern.exec(given) ?? [];
  if (port !== '' && Number(port) <= 65_535) return { host: host?.toLowerCase() ?? anywhere.host, port: Number(port) };
  throw usageError(`--live: "${given}" is no [HOST:]PORT; without one, write --live behind the names`);
}

/** Given without an address it takes any free port of this machine. */
export const live: Input<LiveFlag | undefined> = {
  spec: '--live [address]',
  doc: 'serve a page that shows it as it goes (docs/live.md), at [HOST:]PORT; default: any port of this machine',
  read: (raw) => (raw === true ? anywhere : typeof raw === 'string' ? parseLive(raw) : undefined),
};
