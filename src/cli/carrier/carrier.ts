import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { faultNames, UnknownFaultError } from '../../carrier/catalogue.ts';
import { createCarrier, type RunningCarrier } from '../../carrier/create-carrier.ts';
import type { Policy } from '../../carrier/policy.ts';
import { parseRegistrations, RegistrationError, type Registrations } from '../../carrier/state/registrations.ts';
import { whyNot } from '../../lib/errors.ts';
import { defined } from '../../lib/optional.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderClockTime } from '../../report/shared/time.ts';
import { readSimulator } from '../../setup/read.ts';
import { referenceEnv, referenceRegistrations, referenceTargetText } from '../../setup/reference.ts';
import type { SimulatorFile } from '../../setup/simulator/simulator-file.ts';
import type { carrierDefinition } from '../definitions/suite.ts';
import type { Given } from '../shared/command.ts';
import { parseUrl, usageError } from '../shared/inputs.ts';
import type { Invocation } from '../shared/invocation.ts';
import { renderCarrier, watchTraffic } from './describe.ts';

/** What the flags do not say. */
const defaults = {
  port: 8600,
  adminPort: 8601,
  receiver: 'http://127.0.0.1:8602',
  clock: 'real',
  assertionAudience: 'either',
} as const;

/** The words of a simulator file for the audience of a client assertion, as the carrier names them. */
const audiences: Readonly<Record<string, Policy['assertionAudience']>> = {
  either: 'any',
  token_endpoint: 'token-endpoint',
  issuer: 'issuer',
};

type CarrierFlags = Given<typeof carrierDefinition>;

function explainStart(error: unknown, config: string | undefined): unknown {
  if (error instanceof UnknownFaultError) return usageError(`--fault: ${error.message}`, error);
  if (error instanceof RegistrationError) return usageError(`${config ?? '--receiver'}: ${error.message}`, error);
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return error;
  const flag = '--port or --admin-port';
  if (error.code === 'EADDRINUSE')
    return usageError(`port ${error.port} is in use; choose another with ${flag}`, error);
  if (error.code === 'EACCES')
    return usageError(`port ${error.port} is not allowed; choose another with ${flag}`, error);
  return error;
}

interface Started {
  readonly carrier: RunningCarrier;
  readonly registrations: Registrations;
  readonly settings: Settings;
  /** What the shipped target file reads from the environment; without it, the registrations are the operator's own. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Settings {
  readonly ports: { readonly public: number; readonly admin: number };
  readonly clock: 'real' | 'virtual';
  readonly receiver: URL;
  readonly faults: readonly string[];
  readonly variants: Partial<Policy>;
}

function settle(flags: CarrierFlags, file: SimulatorFile | undefined): Settings {
  if (file !== undefined && flags.receiver !== undefined) {
    throw usageError('--receiver: with --config, the file says it');
  }
  const { port, adminPort, clock, receiver, assertionAudience, faults = [] } = { ...defaults, ...file };
  return {
    ports: { public: flags.port ?? port, admin: flags.adminPort ?? adminPort },
    clock: flags.clock ?? clock,
    receiver: flags.receiver ?? parseUrl('--receiver', receiver),
    faults: [...faults, ...flags.faults],
    variants: defined({ assertionAudience: audiences[assertionAudience] }),
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
  const { clock, faults, ports, receiver, variants } = settings;
  const given = file?.registrations ?? referenceRegistrations(receiver.href.replace(/\/$/, ''));
  try {
    const registrations = parseRegistrations(given);
    const simulation = { approvals: file?.approvals ?? [], tell };
    const carrier = await createCarrier({
      registrations: given,
      clock,
      faults,
      variants,
      ports,
      log,
      simulation,
      ...defined({ tls: file?.tls }),
    });
    const shipped = file === undefined ? { env: referenceEnv(carrier, given, receiver.port) } : {};
    return { carrier, registrations, settings, ...shipped };
  } catch (error) {
    throw explainStart(error, flags.config);
  }
}

async function closeUnless(carrier: RunningCarrier, work: () => void): Promise<void> {
  try {
    work();
  } catch (error) {
    await carrier.close();
    throw error;
  }
}

/** A target file for whoever asks this carrier from another shell, and its secret beside it. A file that is there stays as it is. */
function writeTargetFile(path: string, { env, settings: { clock } }: Pick<Started, 'env' | 'settings'>): void {
  if (env === undefined)
    throw usageError('--write-target: with --config the clients are yours; carrierspec init makes a file');
  const secretFile = `${basename(path)}.secret`;
  const files = {
    [path]: referenceTargetText({ env, clock, secretFile }),
    [join(dirname(path), secretFile)]: `${env['REFERENCE_SECRET'] ?? ''}\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    try {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    } catch (cause) {
      throw usageError(`--write-target: ${file} cannot be written: ${whyNot('write', cause)}`, cause);
    }
  }
}

/** `carrierspec carrier`: the reference carrier until Ctrl-C; everything it prints goes to stderr. Stopped by a signal, it gives 0. */
export async function carrierCommand(flags: CarrierFlags, { stderr, onSignal, env }: Invocation): Promise<number> {
  const log = (line: string): void => void stderr.write(`${forTerminal(line)}\n`);
  const tell = (line: string): void => log(`${renderClockTime(Date.now())}  ${line}`);
  const stopped = new Promise<void>((resolve) => onSignal(resolve));
  const { carrier, ...started } = await start(flags, env, { log, tell });
  const target = flags.writeTarget;
  if (target !== undefined) await closeUnless(carrier, () => writeTargetFile(target, started));
  for (const line of renderCarrier({ carrier, ...started, target })) stderr.write(`${line}\n`);
  const unwatch = watchTraffic({ admin: carrier.adminOrigin, write: tell });
  await stopped;
  stderr.write('\n');
  log('closing');
  unwatch();
  await carrier.close();
  return 0;
}
