import { carrierFaultNames as allFaults, UnknownFaultError } from '../catalogue.ts';
import { createAlteredCarrier } from './altered-carrier.ts';
import { causeCode } from '../../lib/errors.ts';
import { omitUndefined } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { findFreePort, referenceEnv, referenceRegistrations, referenceTarget } from '../../setup/reference.ts';
import type { TargetFile } from '../../api/options.ts';
import { throwAtCaller } from '../../api/throw-at-caller.ts';

export interface ReferenceCarrierOptions {
  /** Fault names; `carrierFaultNames` lists all. Default: none. */
  readonly faults?: readonly string[];
  /** A virtual clock moves only when the admin API or a run advances it. Default: virtual. */
  readonly clock?: 'real' | 'virtual';
  /** Ports on 127.0.0.1; default: any free ones. */
  readonly ports?: { readonly public?: number; readonly admin?: number };
  /** Origin of the receiver of its deliveries, such as `http://127.0.0.1:8602`; default: a free port, on which a run will listen. */
  readonly receiver?: string;
  /** Receives a log line for each action. */
  readonly log?: (line: string) => void;
}

/** A reference carrier listening in this process. */
export interface ReferenceCarrier {
  /** Origin of its public endpoints; also its issuer. */
  readonly url: string;
  /** Origin of the admin API: subscribers, requests, the clock. */
  readonly adminUrl: string;
  readonly faults: readonly string[];
  /** Target to pass to `certify`. */
  readonly target: TargetFile & { readonly env: Readonly<Record<string, string>> };
  readonly close: () => Promise<void>;
}

const startError = (error: unknown): unknown => {
  const words = (text: string): CarrierspecError =>
    new CarrierspecError(text, { code: 'reference-carrier', cause: error });
  if (error instanceof UnknownFaultError) return words(error.message);
  const code = causeCode(error);
  if (error instanceof Error && (code === 'EADDRINUSE' || code === 'EACCES')) {
    return words(`the reference carrier cannot listen: ${error.message}`);
  }
  return error;
};

function parseReceiverUrl(given: string | undefined, port: number): URL {
  const text = given ?? `http://127.0.0.1:${port}`;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new CarrierspecError(`receiver: "${text}" is no http or https URL`, { code: 'bad-flag' });
}

/** Starts a reference carrier with the shipped registrations. Throws CarrierspecError. */
export async function createReferenceCarrier(options: ReferenceCarrierOptions = {}): Promise<ReferenceCarrier> {
  const carrier = await throwAtCaller(createReferenceCarrier, () => startCarrier(options));
  return carrier;
}

async function startCarrier(options: ReferenceCarrierOptions): Promise<ReferenceCarrier> {
  const { faults = [], clock = 'virtual', ports, log, receiver: given } = options;
  const receiver = parseReceiverUrl(given, given === undefined ? await findFreePort() : 0);
  const registrations = referenceRegistrations(receiver.origin);
  try {
    const carrier = await createAlteredCarrier({ registrations, clock, faults, ...omitUndefined({ ports, log }) });
    const env = referenceEnv(carrier, registrations, receiver.port);
    return {
      url: carrier.origin,
      adminUrl: carrier.adminOrigin,
      faults: [...faults],
      target: { file: referenceTarget, env },
      close: () => carrier.close(),
    };
  } catch (error) {
    throw startError(error);
  }
}

/** Names of all faults of the reference carrier, in area order. */
export const faultNames = (): readonly string[] => allFaults();
