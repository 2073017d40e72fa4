import { join } from 'node:path';
import { requireOwnNames, writeBelow } from '../../../cli/shared/files.ts';
import { usageError } from '../../../cli/shared/inputs.ts';
import { isThere, listFolder } from '../../../files/look.ts';
import { readText } from '../../../files/read.ts';
import { removeFile } from '../../../files/write.ts';
import { parsePart } from '../../../journal/schema.ts';
import {
  forJson,
  isJsonObject,
  type Json,
  type JsonObject,
  listItems,
  listStrings,
  omitUndefined,
  parseJson,
} from '../../../lib/json.ts';
import { CarrierspecError } from '../../../model/problem.ts';
import { type ProbeKind, probeKinds } from '../../explore/exploration.ts';
import type { UnconfirmedFinding } from '../../explore/explore.ts';
import type { ExplorationProgress } from '../../explore/rounds.ts';
import type { ConfirmedFinding } from '../../explore/settle.ts';
import { type CarrierExploration, type WrittenFinding, writeFindings } from './findings.ts';

const explorationFormat = 'carrierspec-explore';
const explorationFile = (folder: string): string => join(folder, 'explore.json');

/** Progress of an exploration, with its seed and duration in seconds. */
export interface CarrierProgress extends ExplorationProgress, Pick<CarrierExploration, 'seed' | 'seconds'> {}

/** Data for `--resume`, besides the findings. */
export interface ResumeState extends Pick<CarrierProgress, 'done' | 'pushes'> {
  readonly asked: JsonObject;
}

/** Writes the findings so far: a suite for each, and explore.json. */
export function saveExploration(
  explored: CarrierExploration,
  { folder, flags, ...way }: ResumeState & { readonly folder: string; readonly flags: readonly string[] },
): { readonly findings: readonly WrittenFinding[]; readonly json: string } {
  const { seed, seconds, requests, unjudged, unconfirmed, stopped = null, endedBy = null, found } = explored;
  const findings = writeFindings(found, { folder, seed, flags });
  const document = {
    format: explorationFormat,
    version: 1,
    seed,
    seconds,
    requests,
    unjudged,
    unconfirmed,
    stopped,
    endedBy,
    ...way,
    findings: findings.map(({ found: one, ...written }) => ({ ...written, ...one })),
  };
  const json = `${forJson(document)}\n`;
  writeBelow({ folder, flag: '--out' }, 'explore.json', [json]);
  return { findings, json };
}

function readExplorationFile(folder: string): JsonObject | undefined {
  const file = explorationFile(folder);
  const kept = isThere(file) ? parseJson(readText(file, 'result')) : undefined;
  return isJsonObject(kept) && kept['format'] === explorationFormat ? kept : undefined;
}

const readObjects = (json: Json | undefined): readonly JsonObject[] => listItems(json).filter(isJsonObject);

const findingFile = /^explored-[a-z0-9-]+\.suite\.yaml$/;

/** Throws if a link or special file is in the place of a file that an exploration writes. */
export function requireOwnFindings(folder: string): void {
  const findings = listFolder(folder).flatMap(({ name }) => (findingFile.test(name) ? [name] : []));
  requireOwnNames({ folder, flag: '--out' }, ['explore.json', ...findings]);
}

/** Removes the suites listed in the folder's previous explore.json. */
export function removeOldFindings(folder: string): void {
  for (const { id } of readObjects(readExplorationFile(folder)?.['findings'])) {
    const name = `${typeof id === 'string' ? id : ''}.suite.yaml`;
    if (findingFile.test(name)) removeFile(join(folder, name));
  }
}

const readCount = (json: Json | undefined): number => (typeof json === 'number' && json >= 0 ? json : 0);
const readTextMember = (json: Json | undefined): string => (typeof json === 'string' ? json : '');
const readCounts = (json: Json | undefined): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(isJsonObject(json) ? json : {}).map(([name, count]) => [name, readCount(count)]));

const readKind = (json: Json | undefined): ProbeKind => probeKinds.find((kind) => kind === json) ?? 'values';

const readFound = (json: JsonObject, place: string): ConfirmedFinding => ({
  kind: readKind(json['kind']),
  rule: readTextMember(json['rule']),
  title: readTextMember(json['title']),
  parts: listStrings(json['parts']),
  finding: parsePart('finding', json['finding'], place),
  ...(typeof json['invariant'] === 'string' ? { invariant: json['invariant'] } : {}),
  case: isJsonObject(json['case']) ? json['case'] : {},
  after: readCount(json['after']),
  folded: readCount(json['folded']),
});

const readUnconfirmed = (json: JsonObject, place: string): UnconfirmedFinding => ({
  rule: readTextMember(json['rule']),
  title: readTextMember(json['title']),
  finding: parsePart('finding', json['finding'], place),
  after: readCount(json['after']),
});

/** Reads the progress of an earlier exploration. Throws if there is none or its inputs were different. */
export function readProgress(folder: string, asked: JsonObject, seed: string | undefined): CarrierProgress {
  const place = explorationFile(folder);
  const kept = readExplorationFile(folder);
  if (kept === undefined)
    throw new CarrierspecError(`--resume: there is no exploration in ${folder}`, { code: 'nothing-to-resume' });
  const before = isJsonObject(kept['asked']) ? kept['asked'] : {};
  const same = (name: string): boolean => JSON.stringify(before[name]) === JSON.stringify(asked[name]);
  const other = seed === undefined || seed === kept['seed'] ? Object.keys(asked).find((name) => !same(name)) : 'seed';
  if (other !== undefined)
    throw usageError(
      `--resume: the exploration in ${folder} has another ${other}; give the same, or leave --resume out`,
    );
  const reason = isJsonObject(kept['unjudged']) ? kept['unjudged']['reason'] : undefined;
  const counts = readCounts(kept['requests']);
  return {
    seed: readTextMember(kept['seed']),
    seconds: readCount(kept['seconds']),
    done: readCount(kept['done']),
    pushes: readCounts(kept['pushes']),
    explored: {
      found: readObjects(kept['findings']).map((one) => readFound(one, place)),
      // Untried ones are dropped, because the resumed exploration meets them again.
      unconfirmed: readObjects(kept['unconfirmed']).flatMap((one) =>
        one['untried'] === true ? [] : [readUnconfirmed(one, place)],
      ),
      requests: Object.fromEntries(
        probeKinds.flatMap((kind) => (counts[kind] === undefined ? [] : [[kind, counts[kind]]])),
      ),
      unjudged: {
        count: isJsonObject(kept['unjudged']) ? readCount(kept['unjudged']['count']) : 0,
        ...omitUndefined({ reason: typeof reason === 'string' ? reason : undefined }),
      },
    },
  };
}
