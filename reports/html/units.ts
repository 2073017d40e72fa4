import { groupBy } from '../../src/lib/lists.ts';
import type { CaseRow } from '../../src/report/html/case-element.ts';
import { all } from './dom.ts';
import { rowsReading, unpack } from './rows.ts';

/** What is searched: a rule, and the cases that are listed under it. */
type Listed = { ordinal: number; isOwn: boolean };

export type Facts = Readonly<Record<string, readonly string[] | undefined>>;

export type RuleUnit = { element: HTMLDetailsElement; text: string; facts: Facts; cases: readonly Listed[] };

export type Units = { rules: readonly RuleUnit[]; cases: readonly { row: CaseRow; text: string; facts: Facts }[] };

export const ruleElements = all(document, 'details.rule', HTMLDetailsElement);

const lowered = (values: readonly (string | undefined)[]) =>
  values.flatMap((value) => (value === undefined ? [] : [value.toLowerCase()]));

/** What stands in the page of a rule itself: neither its cases nor what is there for a reader without JavaScript. */
function ownText(rule: HTMLDetailsElement) {
  const summary = rule.querySelector(':scope > summary')?.textContent ?? '';
  const inside = all(rule, ':scope > .inside > *', HTMLElement).filter(
    (element) => !element.matches('details.case:not(.invariant), .elsewhere, .listed, noscript'),
  );
  return [summary, ...inside.map((element) => element.textContent ?? '')].join('\n').toLowerCase();
}

function factsOfRule(rule: HTMLDetailsElement) {
  const { verdict, level, area } = rule.dataset;
  const isExpected = rule.querySelector(':scope > summary .v-expected') !== null;
  return {
    is: lowered([verdict, isExpected ? 'expected' : undefined]),
    level: lowered([level]),
    area: lowered([area]),
    rule: lowered([rule.querySelector(':scope > summary .id')?.textContent ?? '']),
  };
}

/** A case is named by its id, or by what stands in it after a slash. */
const factsOfCase = ({ id, kinds = [], endpoints = [], statuses = [] }: CaseRow): Facts => ({
  case: lowered([id, ...id.split('/').slice(1)]),
  kind: lowered(kinds),
  endpoint: lowered(endpoints),
  status: statuses,
});

/** What of a case can be read in the page: its row, and what was found in it where it stands in the markup. */
function textOfCase(row: CaseRow) {
  const drawn = row.isDrawn ? document.getElementById(row.anchor) : null;
  const found = drawn === null ? [] : all(drawn, ':scope > .inside > .finding', HTMLElement);
  const { id, title, verdict, home, traffic, because, recorded, judges, position, again } = row;
  const parts = [id, title, verdict, home, traffic, because, recorded, judges, position, again].flat(2).join(' ');
  return [parts, ...found.map((finding) => finding.textContent ?? '')].join('\n').toLowerCase();
}

async function readUnits(): Promise<Units> {
  const { inOrder, listed, shown } = await rowsReading;
  const ordinals = new Map(inOrder.map((row, ordinal) => [row, ordinal]));
  const rules = ruleElements.map((element) => {
    const own = shown.get(element.id) ?? [];
    const under = [...new Set([...own, ...(listed.get(element.id) ?? [])])];
    const cases = under.map((row) => ({ ordinal: ordinals.get(row) ?? -1, isOwn: row.home?.[0] === element.id }));
    return { element, text: ownText(element), facts: factsOfRule(element), cases };
  });
  return { rules, cases: inOrder.map((row) => ({ row, text: textOfCase(row), facts: factsOfCase(row) })) };
}

export let unitsRead: Units | undefined;
let unitsReading: Promise<Units> | undefined;

/** Reads what is searched when it is needed for the first time. */
export function readingUnits() {
  unitsReading ??= readUnits().then((units) => {
    unitsRead = units;
    return units;
  });
  return unitsReading;
}

/** What is searched in exchanges: the texts by the ordinals of the cases, once they are read. */
export type Deep = { texts: readonly string[]; left: number };

/** Characters of exchanges that are kept for a search; cases beyond them are left out, and it is said. */
const mostKept = 64_000_000;
/** Milliseconds of work after which the page may draw and take keys. */
const slice = 8;

/** A clock that says when a slice of work is over, and begins the next one. */
function startSlices() {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun > slice,
    next: async () => {
      await new Promise((done) => setTimeout(done));
      begun = performance.now();
    },
  };
}

/** Bodies are JSON within JSON: without the backslashes what was sent is found as it was sent. */
const searched = (line: string) => line.replaceAll('\\', '').toLowerCase();

/** Reads the exchanges block by block, in slices; `tell` hears how far that is. */
async function readDeep(tell: (share: number) => void): Promise<Deep> {
  const { inOrder } = await rowsReading;
  const places = inOrder.flatMap(({ place }, ordinal) => (place ? [{ ordinal, block: place[0], line: place[1] }] : []));
  const blocks = groupBy(places, ({ block }) => String(block));
  const texts = inOrder.map(() => '');
  const slices = startSlices();
  let kept = 0;
  let left = 0;
  let done = 0;
  for (const [block, own] of blocks) {
    const lines = kept < mostKept ? (await unpack(`block-${block}`)).split('\n') : [];
    for (const { ordinal, line } of own) {
      const text = lines[line] ?? '';
      kept += text.length;
      if (text === '') left += 1;
      else texts[ordinal] = searched(text);
      if (slices.isOver()) await slices.next();
    }
    done += 1;
    tell(done / blocks.size);
  }
  return { texts, left };
}

export let deepRead: Deep | undefined;
let deepReading: Promise<Deep> | undefined;
let hear: (share: number) => void = () => {};

/** Reads the exchanges when they are searched for the first time; the last who asks hears how far that is. */
export function readingDeep(tell: (share: number) => void) {
  hear = tell;
  deepReading ??= readDeep((share) => hear(share)).then((deep) => {
    deepRead = deep;
    return deep;
  });
  return deepReading;
}
