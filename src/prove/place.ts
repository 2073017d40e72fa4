import process from 'node:process';
import type { CarrierOptions } from '../carrier/options.ts';
import type { Target } from '../model/target.ts';
import { readTarget } from '../setup/read.ts';
import { freePort, referenceEnv, referenceRegistrations, referenceTarget } from '../setup/reference.ts';

/** A carrier, and the target that it is tested as. */
export interface Prepared {
  readonly options: Pick<CarrierOptions, 'registrations'>;
  readonly target: Target;
}

/** Where the runs of a thread happen, one after the other: the same ports, so that a target file is read once. */
export interface Place {
  readonly ports: { readonly public: number; readonly admin: number };
  readonly prepare: () => Prepared;
}

let opened: Promise<Place> | undefined;

/** The place of this thread; another one where something else has taken its ports. */
export function openPlace(anew: boolean): Promise<Place> {
  opened = anew || opened === undefined ? choosePlace() : opened;
  return opened;
}

async function choosePlace(): Promise<Place> {
  const ports = { public: await freePort(), admin: await freePort(), receiver: await freePort() };
  let prepared: Prepared | undefined;
  return { ports, prepare: () => (prepared ??= prepareReference(ports)) };
}

function prepareReference(ports: Place['ports'] & { readonly receiver: number }): Prepared {
  const registrations = referenceRegistrations(`http://127.0.0.1:${ports.receiver}`);
  const origins = { origin: `http://127.0.0.1:${ports.public}`, adminOrigin: `http://127.0.0.1:${ports.admin}` };
  const env = { ...process.env, ...referenceEnv(origins, registrations, String(ports.receiver)) };
  return { options: { registrations }, target: readTarget(referenceTarget, env) };
}
