import { faultNames as allFaults, UnknownFaultError } from '../carrier/catalogue.ts';
import { createCarrier } from '../carrier/create-carrier.ts';
import { causeCode } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import { CarrierspecError } from '../model/problem.ts';
import { freePort, referenceEnv, referenceRegistrations, referenceTarget } from '../setup/reference.ts';
import type { TargetFile } from './options.ts';

export interface ReferenceCarrierOptions {
  /** Names of its faults; `faultNames` has all. Default: none. */
  readonly faults?: readonly string[];
  /** A virtual clock stands until its admin API, or a run, advances it. Default: virtual. */
  readonly clock?: 'real' | 'virtual';
  /** Of 127.0.0.1; default: any that are free. */
  readonly ports?: { readonly public?: number; readonly admin?: number };
  /** Origin of what takes its deliveries, such as `http://127.0.0.1:8602`; default: a port that is free, for a run to listen on. */
  readonly receiver?: string;
  /** Gets a line of what it does. */
  readonly log?: (line: string) => void;
}

/** A reference carrier that listens in this process. */
export interface ReferenceCarrier {
  /** Origin of its public endpoints, which is its issuer as well. */
  readonly url: string;
  /** Origin of the admin API: subscribers, requests, the clock. */
  readonly adminUrl: string;
  readonly faults: readonly string[];
  /** Its target, for `certify`. */
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

function receiverOf(given: string | undefined, port: number): URL {
  const text = given ?? `http://127.0.0.1:${port}`;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new CarrierspecError(`receiver: "${text}" is no http or https URL`, { code: 'bad-flag' });
}

/** Starts a reference carrier with the registrations that ship. Throws CarrierspecError. */
export async function createReferenceCarrier(options: ReferenceCarrierOptions = {}): Promise<ReferenceCarrier> {
  const { faults = [], clock = 'virtual', ports, log, receiver: given } = options;
  const receiver = receiverOf(given, given === undefined ? await freePort() : 0);
  const registrations = referenceRegistrations(receiver.origin);
  try {
    const carrier = await createCarrier({ registrations, clock, faults, ...defined({ ports, log }) });
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

/** The names of all faults that a reference carrier can have, in the order of their areas. */
export const faultNames = (): readonly string[] => allFaults();
