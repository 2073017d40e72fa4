import { createCarrier, type RunningCarrier } from '../carrier/create-carrier.ts';
import { UnknownFaultError } from '../carrier/faults.ts';
import { parseRegistrations, RegistrationError, type Registrations } from '../carrier/registrations.ts';
import { CarrierspecError } from '../model/problem.ts';
import { forTerminal } from '../report/sanitize.ts';
import { renderCarrier } from './carrier-words.ts';
import { referenceEnv, referenceRegistrations } from '../rig/reference.ts';
import type { Invocation } from './terminal.ts';
import { watchTraffic } from './watch-traffic.ts';

export interface CarrierFlags {
  readonly port: string;
  readonly adminPort: string;
  readonly receiver: string;
  readonly clock: string;
  readonly fault: readonly string[];
}

const usage = (message: string, cause?: unknown): CarrierspecError =>
  new CarrierspecError(message, { kind: 'usage', code: 'bad-flag', cause });

function parsePort(flag: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usage(`${flag}: "${text}" is no port from 0 to 65535`);
}

function parseClock(text: string): 'real' | 'driven' {
  if (text === 'real' || text === 'driven') return text;
  throw usage(`--clock: "${text}" is none of real, driven`);
}

function parseReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw usage(`--receiver: "${text}" is no http or https URL`);
}

/** What went wrong at the start, in the words of the flags. */
function explainStart(error: unknown): unknown {
  if (error instanceof UnknownFaultError) return usage(`--fault: ${error.message}`, error);
  if (error instanceof RegistrationError) return usage(`--receiver: ${error.message}`, error);
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return error;
  const flag = '--port or --admin-port';
  if (error.code === 'EADDRINUSE') return usage(`port ${error.port} is in use; choose another with ${flag}`, error);
  if (error.code === 'EACCES') return usage(`port ${error.port} is not allowed; choose another with ${flag}`, error);
  return error;
}

interface Started {
  readonly carrier: RunningCarrier;
  readonly registrations: Registrations;
  /** What the shipped target file reads from the environment. */
  readonly env: Readonly<Record<string, string>>;
}

async function start(flags: CarrierFlags, log: (line: string) => void): Promise<Started> {
  const ports = { public: parsePort('--port', flags.port), admin: parsePort('--admin-port', flags.adminPort) };
  const clock = parseClock(flags.clock);
  const receiver = parseReceiver(flags.receiver);
  const given = referenceRegistrations(receiver.href.replace(/\/$/, ''));
  try {
    const registrations = parseRegistrations(given);
    const carrier = await createCarrier({ registrations: given, clock, faults: flags.fault, ports, log });
    return { carrier, registrations, env: referenceEnv(carrier, given, receiver.port) };
  } catch (error) {
    throw explainStart(error);
  }
}

/** `carrierspec carrier`: the reference carrier until Ctrl-C; it says everything on stderr. Stopped as asked, it gives 0. */
export async function carrierCommand(flags: CarrierFlags, { stderr, onSignal }: Invocation): Promise<number> {
  const log = (line: string): void => void stderr.write(`${forTerminal(line)}\n`);
  const stopped = new Promise<void>((resolve) => onSignal(resolve));
  const { carrier, registrations, env } = await start(flags, log);
  for (const line of renderCarrier({ carrier, registrations, flags, env })) stderr.write(`${line}\n`);
  const unwatch = watchTraffic({ admin: carrier.adminOrigin, now: Date.now, write: log });
  await stopped;
  stderr.write('\n');
  log('closing');
  unwatch();
  await carrier.close();
  return 0;
}
