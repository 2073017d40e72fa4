import { closeSync, openSync, readdirSync } from 'node:fs';
import { devNull } from 'node:os';
import process from 'node:process';
import { isJsonObject } from '../lib/json.ts';
import { causeCode } from '../lib/errors.ts';
import { CarrierspecError } from '../model/problem.ts';

/** Resources that this process or machine can run out of, by system error code. */
const resources: Readonly<Record<string, string>> = {
  EMFILE: 'this process may open no more files (ulimit -n)',
  ENFILE: 'this machine can open no more files',
  ENOMEM: 'this machine has no memory left',
  ENOBUFS: 'this machine has no memory left for its network',
  EADDRNOTAVAIL: 'this machine has no address or port left to connect from',
};

/** Describes the resource that ran out on this machine; undefined if the error has another cause. */
function describeShortage(error: unknown): string | undefined {
  // A host with several addresses: each was tried.
  if (error instanceof AggregateError) {
    const all = error.errors.map(describeShortage);
    return all.includes(undefined) ? undefined : all[0];
  }
  const code = causeCode(error);
  return Object.hasOwn(resources, code) ? `${resources[code]}: ${code}` : undefined;
}

/** Error that reports a shortage of this machine, so that it is not blamed on the carrier; undefined for any other failure. */
export function toShortage(error: unknown): CarrierspecError | undefined {
  const missing = describeShortage(error);
  return missing === undefined ? undefined : new CarrierspecError(missing, { code: 'own-shortage', cause: error });
}

export const isShortage = (error: unknown): error is CarrierspecError =>
  error instanceof CarrierspecError && error.code === 'own-shortage';

/** Throws a shortage error if not even one more file can be opened: the system then drops accepted connections silently. */
export function requireFile(): void {
  try {
    closeSync(openSync(devNull, 'r'));
  } catch (error) {
    throw toShortage(error) ?? error;
  }
}

let cachedLimit: { readonly files: number | undefined } | undefined;

/** Limit of open files of this process, read once; undefined if the system has no limit. */
function maxOpenFiles(): number | undefined {
  cachedLimit ??= { files: readLimit() };
  return cachedLimit.files;
}

function readLimit(): number | undefined {
  const report: unknown = process.report.getReport();
  const limits = isJsonObject(report) ? report['userLimits'] : undefined;
  const files = isJsonObject(limits) ? limits['open_files'] : undefined;
  const soft = isJsonObject(files) ? files['soft'] : undefined;
  return typeof soft === 'number' ? soft : undefined;
}

/** Number of files already open, if the system lists them. */
function countOpenFiles(): number {
  try {
    return readdirSync('/dev/fd').length;
  } catch {
    return usualOpenFiles;
  }
}

const usualOpenFiles = 32;
/** Files for the journal, reports, keys, name resolution and programs. */
const reservedFiles = 12;
/** Connections held by one exchange: to the carrier and to a driver. */
const connectionsPerJob = 2;
/** Fewest connections reserved for deliveries. */
const minDeliveryConnections = 16;

/** Number of exchanges, and of connections to the receiver, that the limit of open files allows. */
export interface RunBounds {
  readonly jobs: number;
  readonly connections: number;
  /** Why there are fewer jobs than requested. */
  readonly note?: string;
}

/** Bounds a run by the limit of open files. `ends` is 2 if both ends of a connection are in this process. Throws if no exchange fits. */
export function boundByFiles({ jobs, connections: wanted }: RunBounds, ends: 1 | 2): RunBounds {
  const files = maxOpenFiles();
  if (files === undefined) return { jobs, connections: wanted };
  const open = countOpenFiles();
  const connections = Math.floor((files - open - reservedFiles) / ends);
  // Deliveries get at least as many connections as there are exchanges.
  const most = Math.floor(
    Math.min(connections / (connectionsPerJob + 1), (connections - minDeliveryConnections) / connectionsPerJob),
  );
  if (most < 1) {
    const needed = open + reservedFiles + (minDeliveryConnections + connectionsPerJob) * ends;
    const message = `this process may open ${files} files, and a run needs at least ${needed}: raise the limit (ulimit -n ${Math.max(256, needed)})`;
    throw new CarrierspecError(message, { code: 'own-shortage' });
  }
  const bounded = Math.min(jobs, most);
  const left = Math.min(wanted, connections - connectionsPerJob * bounded);
  if (bounded === jobs) return { jobs, connections: left };
  const note = `${bounded} exchanges at the same time instead of ${jobs}, because this process may open ${files} files (ulimit -n)`;
  return { jobs: bounded, connections: left, note };
}
