import { closeSync, openSync, readdirSync } from 'node:fs';
import { devNull } from 'node:os';
import process from 'node:process';
import { isJsonObject } from '../lib/json.ts';
import { causeCode } from '../lib/errors.ts';
import { CarrierspecError } from '../model/problem.ts';
import { mostConnections } from './receive/connections.ts';

/** Resources that this process or machine can run out of, by the code of the system. */
const resources: Readonly<Record<string, string>> = {
  EMFILE: 'this process may open no more files (ulimit -n)',
  ENFILE: 'this machine can open no more files',
  ENOMEM: 'this machine has no memory left',
  ENOBUFS: 'this machine has no memory left for its network',
  EADDRNOTAVAIL: 'this machine has no address or port left to connect from',
};

/** The resource that was missing here, in words; undefined where the error is about something else. */
function missingIn(error: unknown): string | undefined {
  // Of a host with several addresses: each was tried.
  if (error instanceof AggregateError) {
    const all = error.errors.map(missingIn);
    return all.includes(undefined) ? undefined : all[0];
  }
  const code = causeCode(error);
  return Object.hasOwn(resources, code) ? `${resources[code]}: ${code}` : undefined;
}

/** The error with which our own shortage is told, and never as the carrier's; undefined for any other failure. */
export function shortageOf(error: unknown): CarrierspecError | undefined {
  const missing = missingIn(error);
  return missing === undefined ? undefined : new CarrierspecError(missing, { code: 'own-shortage', cause: error });
}

export const isShortage = (error: unknown): error is CarrierspecError =>
  error instanceof CarrierspecError && error.code === 'own-shortage';

/** Throws our own shortage where not even one more file can be opened: accepted connections are dropped then, and no error tells. */
export function requireFile(): void {
  try {
    closeSync(openSync(devNull, 'r'));
  } catch (error) {
    throw shortageOf(error) ?? error;
  }
}

let limit: { readonly files: number | undefined } | undefined;

/** Files that this process may have open; undefined where the system has no such limit. It stays what it was at the start. */
function limitOfFiles(): number | undefined {
  limit ??= { files: readLimit() };
  return limit.files;
}

function readLimit(): number | undefined {
  const report: unknown = process.report.getReport();
  const limits = isJsonObject(report) ? report['userLimits'] : undefined;
  const files = isJsonObject(limits) ? limits['open_files'] : undefined;
  const soft = isJsonObject(files) ? files['soft'] : undefined;
  return typeof soft === 'number' ? soft : undefined;
}

/** Files that are open already, as far as the system lists them. */
function openFiles(): number {
  try {
    return readdirSync('/dev/fd').length;
  } catch {
    return usuallyOpen;
  }
}

const usuallyOpen = 32;
/** Files for the journal, reports, keys, name resolution and programs. */
const kept = 12;
/** Connections at the same time for each exchange: to the carrier and to a driver. */
const ofOneJob = 2;
/** Connections for deliveries. */
const fewest = 16;

/** How many exchanges and how many connections to our receiver the open files of this process allow. */
export interface Allowed {
  readonly jobs: number;
  readonly connections: number;
  /** Why there are fewer jobs than were asked for. */
  readonly note?: string;
}

/** Bounds a run by the limit of open files. `ends` of each connection are in this process: two with the embedded carrier. Throws where it allows no exchange. */
export function allowedByFiles(jobs: number, ends: 1 | 2): Allowed {
  const files = limitOfFiles();
  if (files === undefined) return { jobs, connections: mostConnections };
  const open = openFiles();
  const connections = Math.floor((files - open - kept) / ends);
  // As many connections for deliveries as there are exchanges, and not fewer than that.
  const most = Math.floor(Math.min(connections / (ofOneJob + 1), (connections - fewest) / ofOneJob));
  if (most < 1) {
    const needed = open + kept + (fewest + ofOneJob) * ends;
    const message = `this process may open ${files} files, and a run needs at least ${needed}: raise the limit (ulimit -n ${Math.max(256, needed)})`;
    throw new CarrierspecError(message, { code: 'own-shortage' });
  }
  const bounded = Math.min(jobs, most);
  const left = Math.min(mostConnections, connections - ofOneJob * bounded);
  if (bounded === jobs) return { jobs, connections: left };
  const note = `${bounded} exchanges at the same time instead of ${jobs}, because this process may open ${files} files (ulimit -n)`;
  return { jobs: bounded, connections: left, note };
}
