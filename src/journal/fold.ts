import { omitUndefined } from '../lib/json.ts';
import type { CaseResult, Contribution, Result, ResultFooter, ResultHeader } from '../model/result.ts';
import type { JournalEntry } from './entries.ts';
import type { JournalEnd } from './schema.ts';

/** A case, by the position from which it can be read again. */
interface PlacedCase<Place> {
  readonly id: string;
  readonly place: Place;
}

interface FoldState<Place> {
  header: ResultHeader | undefined;
  end: JournalEnd | undefined;
  footer: ResultFooter | undefined;
  readonly cases: PlacedCase<Place>[];
  readonly contributions: Map<string, Contribution>;
}

/** Makes the error for entries that do not fit, and reads cases again. */
interface FoldOptions<Place> {
  readonly refuse: (what: string) => Error;
  readonly read: (places: readonly Place[]) => Iterable<CaseResult>;
}

/** Takes the entries of a run one by one, without keeping cases in memory. */
export interface Fold<Place> {
  /** Throws if a journal cannot have this entry here. */
  readonly take: (entry: JournalEntry, place: Place) => void;
  /** Result so far, without footer if the run has not ended. Throws if the header or a case is missing. */
  readonly result: () => Result;
}

function findOrderMistake({ kind }: JournalEntry, { header, end, footer }: FoldState<unknown>): string | undefined {
  if ((kind === 'header') !== (header === undefined)) return 'a journal has one header, its first line';
  if (footer !== undefined) return 'nothing may follow the footer of a journal';
  if ((kind === 'footer') === (end !== undefined)) return undefined;
  return 'the footer of a journal stands behind its end, and nothing else does';
}

function keepEntry<Place>(entry: JournalEntry, place: Place, state: FoldState<Place>): void {
  if (entry.kind === 'header') state.header = entry.header;
  else if (entry.kind === 'end') state.end = entry.end;
  else if (entry.kind === 'footer') state.footer = entry.footer;
  else if (entry.kind === 'case') {
    const { id } = entry.case;
    state.cases.push({ id, place });
    // Only a merge with other results needs them.
    if (entry.contributed !== undefined && state.header?.shard !== undefined)
      state.contributions.set(id, entry.contributed);
  }
}

/** Cases in the order of the suites if the run has ended, otherwise in the order in which they ended. */
function orderCases<Place>({ end, cases }: FoldState<Place>, refuse: (what: string) => Error): readonly Place[] {
  const byId = new Map(cases.map(({ id, place }) => [id, place]));
  if (end === undefined) return [...byId.values()];
  return end.cases.map((id) => {
    const place = byId.get(id);
    if (place === undefined) throw refuse(`the journal names a case that it has not: ${id}`);
    return place;
  });
}

function foldResult<Place>(state: FoldState<Place>, { refuse, read }: FoldOptions<Place>): Result {
  const { header, end, footer, contributions } = state;
  if (header === undefined) throw refuse('the journal ends before its header does');
  const places = orderCases(state, refuse);
  const { rules, invariants, unsolicited } = end ?? { rules: [], invariants: [], unsolicited: [] };
  return {
    header,
    cases: { [Symbol.iterator]: () => read(places)[Symbol.iterator]() },
    invariants,
    rules,
    unsolicited,
    ...(contributions.size === 0 ? {} : { contributions: Object.fromEntries(contributions) }),
    ...omitUndefined({ footer }),
  };
}

/** Builds every result from entries: while a run writes them, when a journal is read, and when shards are merged. */
export function createFold<Place>(options: FoldOptions<Place>): Fold<Place> {
  const state: FoldState<Place> = {
    header: undefined,
    end: undefined,
    footer: undefined,
    cases: [],
    contributions: new Map(),
  };
  return {
    take: (entry, place) => {
      const wrong = findOrderMistake(entry, state);
      if (wrong !== undefined) throw options.refuse(wrong);
      keepEntry(entry, place, state);
    },
    result: () => foldResult(state, options),
  };
}

export function foldEntries(entries: Iterable<JournalEntry>): Result {
  const folding = createFold<CaseResult | undefined>({
    refuse: (what) => new Error(what),
    read: (cases) => cases.flatMap((one) => one ?? []),
  });
  for (const entry of entries) folding.take(entry, entry.kind === 'case' ? entry.case : undefined);
  return folding.result();
}
