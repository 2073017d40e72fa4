import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCarrier } from '../../carrier/create-carrier.ts';
import { type DrawnCarrier, writeDrawn } from '../../prove/space/draw.ts';
import { root, spawnCli } from '../spawn-cli.ts';
import type { Fleet, Member } from './draw.ts';
import { definitionOf } from './identity.ts';

/** How the run of one carrier ended. */
export interface Night {
  readonly member: Member;
  readonly code: number | null;
  readonly stderr: string;
  /** The folder that the run has written. */
  readonly out: string;
  readonly seconds: number;
  /** The most memory that the process had, in bytes. */
  readonly peak: number;
  readonly bytes: number;
}

interface NightOptions {
  readonly fleet: Fleet;
  /** 0 is the first. */
  readonly night: 0 | 1;
  /** Where results go: carrier/day. */
  readonly results: string;
  readonly processes: number;
}

/** The second night is so much later on the carriers' clocks that no wait of the first comes near it. */
const apart = 30 * 24 * 60 * 60 * 1000;
const begun = Date.now();

/** The moment at which the clocks of the carriers stand when a night begins. */
export const startOf = (night: 0 | 1): number => begun + night * apart;
export const dayOf = (night: 0 | 1): string => new Date(startOf(night)).toISOString().slice(0, 10);

const timeLimit = 180_000;

/** A run of one carrier: who it is on the wire, and where its files go. */
export interface MemberRun {
  readonly member: Member;
  readonly drawn: DrawnCarrier;
  readonly cases: readonly string[];
  /** The folder of its target file. */
  readonly place: string;
  readonly out: string;
}

/** Starts a carrier with its fault of a night. */
export function startMember({ member, drawn: { options } }: Pick<MemberRun, 'member' | 'drawn'>, night: 0 | 1) {
  const fault = member.faults[night];
  const faults = [...(options.faults ?? []), ...(fault === undefined ? [] : [fault.subject.name])];
  return createCarrier({ ...options, faults, clock: 'virtual', startAt: startOf(night) });
}

/** Bytes of the files below a folder. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

/** Runs carrierspec against one carrier, as a process of its own. */
export async function runMember({ member, drawn, cases, place, out }: MemberRun): Promise<Night> {
  const target = writeDrawn(drawn, place);
  mkdirSync(out, { recursive: true });
  const peakFile = join(place, 'peak');
  const before = performance.now();
  const { code, stderr } = await spawnCli(['run', ...cases, '--target', target, '--out', out, '--quiet'], {
    cwd: place,
    env: { ...drawn.env, PEAK_FILE: peakFile },
    node: ['--import', join(root, 'bench/peak.js')],
    timeLimit,
  });
  const seconds = (performance.now() - before) / 1000;
  const peak = Number(readFileSync(peakFile, 'utf8')) * 1024;
  return { member, code, stderr, out, seconds, peak, bytes: bytesIn(out) };
}

/** Starts every carrier of the fleet, and runs carrierspec against each, a few at a time. */
export async function runNight({ fleet, night, results, processes }: NightOptions): Promise<readonly Night[]> {
  const runs = fleet.members.map((member) => ({
    member,
    drawn: definitionOf(member),
    cases: fleet.cases,
    place: join(results, '..', 'targets', member.folder),
    out: join(results, member.folder, dayOf(night)),
  }));
  const carriers = await Promise.all(runs.map((run) => startMember(run, night)));
  const waiting = runs.values();
  const nights: Night[] = [];
  const work = async (): Promise<void> => {
    for (const run of waiting) nights.push(await runMember(run));
  };
  try {
    await Promise.all(Array.from({ length: processes }, work));
  } finally {
    await Promise.all(carriers.map((carrier) => carrier.close()));
  }
  return nights.toSorted((one, other) => one.member.number - other.member.number);
}
