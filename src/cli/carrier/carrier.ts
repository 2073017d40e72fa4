import { createCarrier, type RunningCarrier } from '../../carrier/create-carrier.ts';
import { faultNames, UnknownFaultError } from '../../carrier/faults.ts';
import { parseRegistrations, RegistrationError, type Registrations } from '../../carrier/registrations.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { forTerminal } from '../../report/sanitize.ts';
import { renderClockTime } from '../../report/layout.ts';
import { readSimulator } from '../../setup/read.ts';
import { referenceEnv, referenceRegistrations } from '../../setup/reference.ts';
import type { SimulatorFile } from '../../setup/simulator-file.ts';
import { renderCarrier } from './describe.ts';
import type { Invocation } from '../shared/invocation.ts';
import { watchTraffic } from './watch-traffic.ts';

export interface CarrierFlags {
  readonly config?: string;
  readonly port?: string;
  readonly adminPort?: string;
  readonly receiver?: string;
  readonly clock?: string;
  readonly fault: readonly string[];
}

/** What the flags do not say. */
const defaults = { port: '8600', adminPort: '8601', receiver: 'http://127.0.0.1:8602', clock: 'real' };

const usage = (message: string, cause?: unknown): CarrierspecError =>
  new CarrierspecError(message, { code: 'bad-flag', cause });

function parsePort(flag: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usage(`${flag}: "${text}" is no port from 0 to 65535`);
}

function parseClock(text: string): 'real' | 'virtual' {
  if (text === 'driven') return 'virtual';
  if (text === 'real' || text === 'virtual') return text;
  throw usage(`--clock: "${text}" is none of real, virtual`);
}

function parseReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw usage(`--receiver: "${text}" is no http or https URL`);
}

/** What went wrong at the start, in the words of the flags. */
function explainStart(error: unknown, config: string | undefined): unknown {
  if (error instanceof UnknownFaultError) return usage(`--fault: ${error.message}`, error);
  if (error instanceof RegistrationError) return usage(`${config ?? '--receiver'}: ${error.message}`, error);
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return error;
  const flag = '--port or --admin-port';
  if (error.code === 'EADDRINUSE') return usage(`port ${error.port} is in use; choose another with ${flag}`, error);
  if (error.code === 'EACCES') return usage(`port ${error.port} is not allowed; choose another with ${flag}`, error);
  return error;
}

interface Started {
  readonly carrier: RunningCarrier;
  readonly registrations: Registrations;
  readonly settings: Settings;
  /** What the shipped target file reads from the environment; without it, the registrations are the operator's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Flags, and what the simulator file says where they are silent. */
interface Settings {
  readonly ports: { readonly public: number; readonly admin: number };
  readonly clock: 'real' | 'virtual';
  readonly receiver: URL;
  readonly faults: readonly string[];
}

function settle(flags: CarrierFlags, file: SimulatorFile | undefined): Settings {
  const text = (value: string | number | undefined, other: string): string => String(value ?? other);
  if (file !== undefined && flags.receiver !== undefined) throw usage('--receiver: with --config, the file says it');
  return {
    ports: {
      public: parsePort('--port', text(flags.port ?? file?.port, defaults.port)),
      admin: parsePort('--admin-port', text(flags.adminPort ?? file?.adminPort, defaults.adminPort)),
    },
    clock: parseClock(text(flags.clock ?? file?.clock, defaults.clock)),
    receiver: parseReceiver(text(flags.receiver ?? file?.receiver, defaults.receiver)),
    faults: [...(file?.faults ?? []), ...flags.fault],
  };
}

type Tell = (line: string) => void;

async function start(
  flags: CarrierFlags,
  env: Invocation['env'],
  { log, tell }: { log: Tell; tell: Tell },
): Promise<Started> {
  const file = flags.config === undefined ? undefined : readSimulator(flags.config, env, new Set(faultNames()));
  const settings = settle(flags, file);
  const { clock, faults, ports, receiver } = settings;
  const given = file?.registrations ?? referenceRegistrations(receiver.href.replace(/\/$/, ''));
  try {
    const registrations = parseRegistrations(given);
    const simulation = { approvals: file?.approvals ?? [], tell };
    const tls = file?.tls === undefined ? {} : { tls: file.tls };
    const carrier = await createCarrier({ registrations: given, clock, faults, ports, log, simulation, ...tls });
    const shipped = file === undefined ? { env: referenceEnv(carrier, given, receiver.port) } : {};
    return { carrier, registrations, settings, ...shipped };
  } catch (error) {
    throw explainStart(error, flags.config);
  }
}

/** `carrierspec carrier`: the reference carrier until Ctrl-C; it says everything on stderr. Stopped as asked, it gives 0. */
export async function carrierCommand(flags: CarrierFlags, { stderr, onSignal, env }: Invocation): Promise<number> {
  const log = (line: string): void => void stderr.write(`${forTerminal(line)}\n`);
  const tell = (line: string): void => log(`${renderClockTime(Date.now())}  ${line}`);
  const stopped = new Promise<void>((resolve) => onSignal(resolve));
  const { carrier, ...started } = await start(flags, env, { log, tell });
  for (const line of renderCarrier({ carrier, ...started })) stderr.write(`${line}\n`);
  const unwatch = watchTraffic({ admin: carrier.adminOrigin, now: Date.now, write: log });
  await stopped;
  stderr.write('\n');
  log('closing');
  unwatch();
  await carrier.close();
  return 0;
}
