import { makeFolders, makeTemporaryFolder } from '../../files/folder.ts';
import { removeFile } from '../../files/write.ts';
import { join } from 'node:path';
import process from 'node:process';
import { threadId } from 'node:worker_threads';
import { type AlteredCarrierOptions, createAlteredCarrier } from '../reference/altered-carrier.ts';
import { omitUndefined } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import { readTarget } from '../../setup/read-files.ts';
import { findFreePort, referenceEnv, referenceRegistrations, referenceTarget } from '../../setup/reference.ts';
import type { JobCarrier, ThreadSettings } from './job.ts';
import { type DrawnChoices, drawCarrier, writeDrawnCarrier } from '../space/draw.ts';
import { readFreedoms } from '../space/freedoms.ts';
import type { Freedom } from '../space/freedoms-grammar.ts';

interface PreparedCarrier {
  readonly options: Omit<AlteredCarrierOptions, 'clock'>;
  readonly target: Target;
}

interface CarrierPorts {
  readonly public: number;
  readonly admin: number;
  readonly receiver: number;
}

/** Fixed ports for all runs of a thread, one after the other, so that a target file is read once. */
export interface CarrierPlace {
  /** Prepares the plain carrier, or the one with these choices. */
  readonly prepare: (choices: DrawnChoices | undefined) => PreparedCarrier;
}

let openedPlace: Promise<CarrierPlace> | undefined;

/** Most attempts of a run, if another process takes a port in between. */
const maxPlaceAttempts = 5;

const isPortTaken = (error: unknown): boolean =>
  (error instanceof CarrierspecError && error.code === 'receiver-unusable') ||
  (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');

/** Works at the place of this thread; at another one if another process has taken its ports. */
export async function workInPlace<T>(folder: string, work: (place: CarrierPlace) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(await openPlace(folder, attempt > 1));
    } catch (error) {
      if (!isPortTaken(error) || attempt >= maxPlaceAttempts) throw error;
    }
  }
}

interface CarrierSession {
  readonly target: Target;
  readonly journal: string;
}

/** Works against a carrier of its own, which ends with the work. */
export function workWithCarrier<T>(
  { faults, choices }: JobCarrier,
  { folder, startAt }: ThreadSettings,
  work: (running: CarrierSession) => Promise<T>,
): Promise<T> {
  return workInPlace(folder, async (place) => {
    const { options, target } = place.prepare(choices);
    const carrier = await createAlteredCarrier({
      ...options,
      clock: 'virtual',
      faults: [...(options.faults ?? []), ...faults],
      ...omitUndefined({ startAt }),
    });
    const journal = join(folder, `journal-${threadId}.jsonl`);
    try {
      return await work({ target, journal });
    } finally {
      await carrier.close();
      removeFile(journal);
    }
  });
}

/** Place of this thread, or a new one. */
function openPlace(folder: string, anew: boolean): Promise<CarrierPlace> {
  openedPlace = anew || openedPlace === undefined ? choosePlace(folder) : openedPlace;
  return openedPlace;
}

/** Most prepared carriers to keep; jobs with the same one follow each other. */
const maxPreparedCarriers = 4;

async function choosePlace(folder: string): Promise<CarrierPlace> {
  const ports = { public: await findFreePort(), admin: await findFreePort(), receiver: await findFreePort() };
  const kept = new Map<string, PreparedCarrier>();
  return {
    prepare: (choices) => {
      const key = JSON.stringify(choices ?? null);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = choices === undefined ? prepareReference(ports) : prepareDrawn(choices, ports, folder);
      for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - maxPreparedCarriers))) kept.delete(old);
      kept.set(key, made);
      return made;
    },
  };
}

function prepareReference({ receiver, ...ports }: CarrierPorts): PreparedCarrier {
  const registrations = referenceRegistrations(`http://127.0.0.1:${receiver}`);
  const origins = { origin: `http://127.0.0.1:${ports.public}`, adminOrigin: `http://127.0.0.1:${ports.admin}` };
  const env = { ...process.env, ...referenceEnv(origins, registrations, String(receiver)) };
  return { options: { registrations, ports }, target: readTarget(referenceTarget, env) };
}

let placeFreedoms: readonly Freedom[] | undefined;

function prepareDrawn(choices: DrawnChoices, ports: CarrierPorts, folder: string): PreparedCarrier {
  placeFreedoms ??= readFreedoms();
  const drawn = drawCarrier(placeFreedoms, choices, ports);
  makeFolders(folder);
  const target = writeDrawnCarrier(drawn, makeTemporaryFolder('drawn-', folder));
  return { options: drawn.options, target: readTarget(target, { ...process.env, ...drawn.env }) };
}
