import { groupBy } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import { headlineCell } from '../../model/headline.ts';
import { valuesOf } from '../../model/flags.ts';
import type { ResultFooter, ResultHeader } from '../../model/result.ts';
import { compareTexts, identityOf, kinds, nameOf } from './carriers.ts';
import { digestOf, type Dated, withoutDoubles, withoutParts } from './doubles.ts';
import type { CarrierHistory, Edition, History, HistoryEntry, HistoryRun } from './lines.ts';
import { matrixOf } from './matrix.ts';
import { ruleLines } from './rule-lines.ts';

const interfaceOf = ({ interface: { id, version } }: ResultHeader): string => `${id} ${version}`;

const editionKey = (header: ResultHeader): string =>
  JSON.stringify([interfaceOf(header), header.suites.rules, header.suites.suites]);

/** Editions by their keys, the oldest of each interface first. */
function editionsOf(dated: readonly Dated[]): ReadonlyMap<string, Edition> {
  const counts = new Map<string, number>();
  const groups = groupBy(dated, ({ entry }) => editionKey(entry.header));
  const editions = new Map<string, Edition>();
  for (const [key, ofIt] of groups) {
    const [first] = ofIt;
    if (first === undefined) continue;
    const { header } = first.entry;
    const of = interfaceOf(header);
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

/** What makes the verdicts of a run say less than those of a whole one. */
function notesOf({ selection, shard, joined, flags }: ResultHeader, footer: ResultFooter | undefined) {
  const without = valuesOf(flags, '--without');
  return [
    ...(footer === undefined ? ['it was cut off, or has not ended'] : []),
    ...(footer?.interrupted === true ? ['it was interrupted'] : []),
    ...(joined === undefined ? [] : [`it was joined from ${joined.length} parts`]),
    ...(shard === undefined ? [] : [`it is part ${shard.index} of ${shard.of}`]),
    ...(selection.length === 0 ? [] : ['it selected only some rules']),
    ...(without.length === 0 ? [] : ['it left areas out']),
  ];
}

function runOf({ entry }: Dated, editions: ReadonlyMap<string, Edition>): HistoryRun {
  const { file, header, footer } = entry;
  return defined({
    run: header.run,
    file,
    startedAt: header.startedAt,
    edition: editions.get(editionKey(header))?.label ?? '',
    outcome: footer?.outcome ?? ('cut off' as const),
    headline: footer === undefined ? 'cut off' : headlineCell(header, footer),
    profile: header.profile,
    required: footer?.score.required,
    clock: header.clock.kind,
    tool: header.tool.version,
    notes: notesOf(header, footer),
  });
}

interface Counted {
  readonly shown: readonly Dated[];
  readonly older: number;
}

/** The newest runs of each carrier, the oldest of them first. */
function newestOf(dated: readonly Dated[], newest = Number.POSITIVE_INFINITY): Counted {
  const older = Math.max(0, dated.length - newest);
  return { shown: dated.slice(older), older };
}

function carrierOf({ shown, older }: Counted, editions: ReadonlyMap<string, Edition>) {
  const last = shown.at(-1);
  if (last === undefined) return [];
  const entries = shown.map(({ entry }) => entry);
  const { key, kind, faults, interface: of } = identityOf(last.entry);
  const { name, issuer } = last.entry.header.target;
  const names = new Set(entries.map(({ header }) => header.target.name));
  const carrier: CarrierHistory = {
    id: nameOf(key),
    name,
    otherNames: [...names].filter((other) => other !== name).toSorted(compareTexts),
    issuer,
    kind,
    faults,
    interface: of,
    runs: shown.map((one) => runOf(one, editions)),
    older,
    rules: ruleLines(entries),
  };
  return [{ carrier, entries }];
}

/**
 * All runs of all carriers, or the `newest` so many of each; the same for the same results, in whatever order they were found.
 */
export function historyOf(found: readonly HistoryEntry[], newest?: number): History {
  const dated = found.map((entry) => ({ entry, digest: digestOf(entry) }));
  const { kept: all, doubled } = withoutDoubles(dated);
  const { kept, parts } = withoutParts(all);
  const groups = [...groupBy(kept, ({ entry }) => identityOf(entry).key).values()].map((runs) =>
    newestOf(runs, newest),
  );
  const shown = new Set(groups.flatMap((group) => group.shown));
  const editions = editionsOf(kept.filter((one) => shown.has(one)));
  const carriers = groups
    .flatMap((group) => carrierOf(group, editions))
    .toSorted(
      ({ carrier: one }, { carrier: other }) =>
        compareTexts(one.interface, other.interface) ||
        kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
        compareTexts(one.name, other.name) ||
        compareTexts(one.id, other.id),
    );
  return {
    carriers: carriers.map(({ carrier }) => carrier),
    editions: [...editions.values()].toSorted((one, other) => compareTexts(one.interface, other.interface)),
    matrices: [...groupBy(carriers, ({ carrier }) => carrier.interface).values()].map(matrixOf),
    doubled,
    parts,
  };
}
