import { createHash } from 'node:crypto';
import { flagValues } from '../../model/flags.ts';
import type { ResultHeader, RuleResult, ResultFooter } from '../../model/result.ts';
import type {
  CarrierKind,
  HistoryEntry,
  History,
  CarrierHistory,
  HistoryMatrix,
  MatrixCell,
  HistoryMatrixRow,
  Edition,
  HistoryRun,
} from './history-model.ts';
import { type Json, omitUndefined } from '../../lib/json.ts';
import { canonicalText, ruleWords } from '../comparison.ts';
import { ruleLines } from './turns.ts';
import { groupBy } from '../../lib/lists.ts';

/** First 16 hex digits of the SHA-256 digest. */
const digestName = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

interface Identity {
  readonly key: string;
  readonly kind: CarrierKind;
  readonly faults: readonly string[];
  readonly interface: string;
}

function carrierKind({ target, flags }: ResultHeader, faults: readonly string[]): CarrierKind {
  if (faults.length > 0) return 'faults injected';
  if (!flags.includes('--target')) return 'reference carrier';
  return target.testCarrier === true ? 'test carrier' : 'carrier';
}

/** Identity of a carrier: issuer (none for the reference carrier), kind, injected faults and interface. */
function carrierIdentity({ header }: HistoryEntry): Identity {
  const faults = [...new Set(flagValues(header.flags, '--fault'))].toSorted(compareTexts);
  const kind = carrierKind(header, faults);
  const who = header.flags.includes('--target') ? ['issuer', header.target.issuer] : ['reference'];
  const { id, version } = header.interface;
  return { key: JSON.stringify([who, kind, faults, id, version]), kind, faults, interface: `${id} ${version}` };
}

const carrierKinds: readonly CarrierKind[] = ['carrier', 'test carrier', 'reference carrier', 'faults injected'];

/** A result with the digest of its content. */
interface DigestedEntry {
  readonly entry: HistoryEntry;
  readonly digest: string;
}

/** Digest of a result's content, whatever its file: a journal and its result.json have the same digest. */
function entryDigest({ header, footer, rules }: HistoryEntry): string {
  // The entry was read from JSON, so it contains nothing else.
  const value = JSON.parse(JSON.stringify([header, footer ?? null, rules])) as Json;
  return digestName(canonicalText(value));
}

/** Orders by the run's start on its own clock, then by digest and file. */
const compareStarts = (one: DigestedEntry, other: DigestedEntry): number =>
  Date.parse(one.entry.header.startedAt) - Date.parse(other.entry.header.startedAt) ||
  compareTexts(one.digest, other.digest) ||
  compareTexts(one.entry.file, other.entry.file);

/** Sets aside shards that a merged result among these already contains. */
function separateShards(dated: readonly DigestedEntry[]): {
  readonly kept: readonly DigestedEntry[];
  readonly parts: History['parts'];
} {
  const wholes = new Map(
    dated.flatMap(({ entry: { header, file } }) => (header.joined ?? []).map(({ run }) => [run, file] as const)),
  );
  const wholeOf = ({ entry: { header } }: DigestedEntry): string | undefined =>
    header.shard === undefined ? undefined : wholes.get(header.run);
  const parts = dated.flatMap((one) => {
    const whole = wholeOf(one);
    return whole === undefined ? [] : [{ file: one.entry.file, whole }];
  });
  return { kept: dated.filter((one) => wholeOf(one) === undefined), parts };
}

/** Sorts results by time and sets aside duplicates. */
function separateDuplicates(dated: readonly DigestedEntry[]): {
  readonly kept: readonly DigestedEntry[];
  readonly doubled: History['doubled'];
} {
  const first = new Map<string, DigestedEntry>();
  const doubled: { file: string; same: string }[] = [];
  for (const one of dated.toSorted(compareStarts)) {
    const same = first.get(one.digest);
    if (same === undefined) first.set(one.digest, one);
    else doubled.push({ file: one.entry.file, same: same.entry.file });
  }
  return { kept: [...first.values()], doubled };
}

interface CarrierEntries {
  readonly carrier: CarrierHistory;
  readonly entries: readonly HistoryEntry[];
}

type Rules = ReadonlyMap<string, RuleResult>;

/** Rules of all runs by id, each as the newest run words it. */
function newestRules(all: readonly CarrierEntries[]): Rules {
  const entries = all.flatMap((one) => one.entries);
  const byTime = entries.toSorted((a, b) => Date.parse(b.header.startedAt) - Date.parse(a.header.startedAt));
  const rules = new Map<string, RuleResult>();
  for (const rule of byTime.flatMap((entry) => entry.rules)) if (!rules.has(rule.id)) rules.set(rule.id, rule);
  return rules;
}

/** Rules by carriers: each cell has the verdict of the carrier's newest run that selected the rule. */
function createMatrix(all: readonly CarrierEntries[]): HistoryMatrix {
  const lines = all.map(({ carrier, entries }) => ({
    runs: entries.map(({ rules }): Rules => new Map(rules.map((rule) => [rule.id, rule]))),
    byRule: new Map(carrier.rules.map((line) => [line.id, line])),
  }));
  const rows = [...newestRules(all).values()].map((rule): HistoryMatrixRow => {
    const { id, area, clause, level, description } = rule;
    const cells = lines.map(({ runs, byRule }): MatrixCell | undefined => {
      const line = byRule.get(id);
      if (line === undefined) return undefined;
      const { verdict, at } = line.newest;
      const then = runs[at]?.get(id);
      return omitUndefined({
        verdict,
        at,
        newerWithout: runs.length - 1 - at,
        judgedLast: line.judgedLast,
        otherWords: then !== undefined && ruleWords(then) !== ruleWords(rule),
      });
    });
    return { id, area, clause, level, description, cells };
  });
  const [first] = all;
  return { interface: first?.carrier.interface ?? '', carriers: all.map(({ carrier }) => carrier.id), rows };
}

const interfaceLabel = ({ interface: { id, version } }: ResultHeader): string => `${id} ${version}`;

const editionKey = (header: ResultHeader): string =>
  JSON.stringify([interfaceLabel(header), header.suites.rules, header.suites.suites]);

/** Editions by key, the oldest of each interface first. */
function collectEditions(dated: readonly DigestedEntry[]): ReadonlyMap<string, Edition> {
  const counts = new Map<string, number>();
  const groups = groupBy(dated, ({ entry }) => editionKey(entry.header));
  const editions = new Map<string, Edition>();
  for (const [key, ofIt] of groups) {
    const [first] = ofIt;
    if (first === undefined) continue;
    const { header } = first.entry;
    const of = interfaceLabel(header);
    const number = (counts.get(of) ?? 0) + 1;
    counts.set(of, number);
    editions.set(key, {
      label: `E${number}`,
      interface: of,
      rules: header.suites.rules,
      suites: header.suites.suites,
      tools: [...new Set(ofIt.map(({ entry }) => entry.header.tool.version))].toSorted(compareTexts),
      runs: ofIt.length,
    });
  }
  return editions;
}

/** Caveats on the verdicts of a run, a clause each. */
function runCaveats({ selection, shard, joined, flags }: ResultHeader, footer: ResultFooter | undefined) {
  const without = flagValues(flags, '--without');
  return [
    ...(footer === undefined ? ['it was cut off, or has not ended'] : []),
    ...(footer?.interrupted === true ? ['it was interrupted'] : []),
    ...(joined === undefined ? [] : [`it was joined from ${joined.length} parts`]),
    ...(shard === undefined ? [] : [`it is part ${shard.index} of ${shard.of}`]),
    ...(selection.length === 0 ? [] : ['it selected only some rules']),
    ...(without.length === 0 ? [] : ['it left parts out']),
  ];
}

function makeHistoryRun({ entry }: DigestedEntry, editions: ReadonlyMap<string, Edition>): HistoryRun {
  const { file, header, footer } = entry;
  return omitUndefined({
    run: header.run,
    file,
    startedAt: header.startedAt,
    edition: editions.get(editionKey(header))?.label ?? '',
    outcome: footer?.outcome ?? ('cut off' as const),
    headline: footer === undefined ? 'cut off' : footer.headline.words,
    profile: header.profile,
    required: footer?.score.required,
    clock: header.clock.kind,
    tool: header.tool.version,
    notes: runCaveats(header, footer),
  });
}

interface CarrierRuns {
  readonly shown: readonly DigestedEntry[];
  readonly older: number;
}

function carrierHistory({ shown, older }: CarrierRuns, editions: ReadonlyMap<string, Edition>) {
  const last = shown.at(-1);
  if (last === undefined) return [];
  const entries = shown.map(({ entry }) => entry);
  const { key, kind, faults, interface: of } = carrierIdentity(last.entry);
  const { name, issuer } = last.entry.header.target;
  const names = new Set(entries.map(({ header }) => header.target.name));
  const carrier: CarrierHistory = {
    id: digestName(key),
    name,
    otherNames: [...names].filter((other) => other !== name).toSorted(compareTexts),
    issuer,
    kind,
    faults,
    interface: of,
    runs: shown.map((one) => makeHistoryRun(one, editions)),
    older,
    rules: ruleLines(entries),
  };
  return [{ carrier, entries }];
}

/** History of all carriers, with all runs or the `newest` of each; independent of the order of `found`. */
export function createHistory(found: readonly HistoryEntry[], newest?: number): History {
  const dated = found.map((entry) => ({ entry, digest: entryDigest(entry) }));
  const { kept: all, doubled } = separateDuplicates(dated);
  const { kept, parts } = separateShards(all);
  const groups = [...groupBy(kept, ({ entry }) => carrierIdentity(entry).key).values()].map((runs) => {
    const older = Math.max(0, runs.length - (newest ?? runs.length));
    return { shown: runs.slice(older), older };
  });
  const shown = new Set(groups.flatMap((group) => group.shown));
  const editions = collectEditions(kept.filter((one) => shown.has(one)));
  const carriers = groups
    .flatMap((group) => carrierHistory(group, editions))
    .toSorted(
      ({ carrier: one }, { carrier: other }) =>
        compareTexts(one.interface, other.interface) ||
        carrierKinds.indexOf(one.kind) - carrierKinds.indexOf(other.kind) ||
        compareTexts(one.name, other.name) ||
        compareTexts(one.id, other.id),
    );
  return {
    carriers: carriers.map(({ carrier }) => carrier),
    editions: [...editions.values()].toSorted((one, other) => compareTexts(one.interface, other.interface)),
    matrices: [...groupBy(carriers, ({ carrier }) => carrier.interface).values()].map(createMatrix),
    doubled,
    parts,
  };
}
