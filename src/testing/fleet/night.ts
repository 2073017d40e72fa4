import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCarrier, type RunningCarrier } from '../../carrier/create-carrier.ts';
import { writeDrawn } from '../../prove/space/write-drawn.ts';
import { root, spawnCli } from '../spawn-cli.ts';
import { definitionOf, type Fleet, type Member } from './draw.ts';

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

export interface NightOptions {
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

function startMember(member: Member, night: 0 | 1): Promise<RunningCarrier> {
  const { options } = definitionOf(member);
  const fault = member.faults[night];
  const faults = [...(options.faults ?? []), ...(fault === undefined ? [] : [fault.subject.name])];
  return createCarrier({ ...options, faults, clock: 'virtual', startAt: startOf(night) });
}

/** Bytes of the files below a folder. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

async function runMember(member: Member, { fleet, night, results }: NightOptions): Promise<Night> {
  const place = join(results, '..', 'targets', member.folder);
  const drawn = definitionOf(member);
  const target = writeDrawn(drawn, place);
  const out = join(results, member.folder, dayOf(night));
  mkdirSync(out, { recursive: true });
  const peakFile = join(place, 'peak');
  const before = performance.now();
  const { code, stderr } = await spawnCli(['run', ...fleet.cases, '--target', target, '--out', out, '--quiet'], {
    cwd: place,
    env: { ...drawn.env, PEAK_FILE: peakFile },
    node: ['--import', join(root, 'bench/peak.js')],
    timeLimit,
  });
  const seconds = (performance.now() - before) / 1000;
  return {
    member,
    code,
    stderr,
    out,
    seconds,
    peak: Number(readFileSync(peakFile, 'utf8')) * 1024,
    bytes: bytesIn(out),
  };
}

/** Starts every carrier of the fleet, and runs carrierspec against each as a process of its own, a few at a time. */
export async function runNight(options: NightOptions): Promise<readonly Night[]> {
  const { fleet, night, processes } = options;
  const carriers = await Promise.all(fleet.members.map((member) => startMember(member, night)));
  const waiting = fleet.members.values();
  const nights: Night[] = [];
  const work = async (): Promise<void> => {
    for (const member of waiting) nights.push(await runMember(member, options));
  };
  try {
    await Promise.all(Array.from({ length: processes }, work));
  } finally {
    await Promise.all(carriers.map((carrier) => carrier.close()));
  }
  return nights.toSorted((one, other) => one.member.number - other.member.number);
}
