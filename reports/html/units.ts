import { groupBy } from '../../src/lib/lists.ts';
import type { CaseRow } from '../../src/report/html/case-rows.ts';
import { all } from './dom.ts';
import { rowsReading, unpack } from './rows.ts';

/** A case listed under a rule; `isOwn` if it is shown there. */
type ListedCase = { ordinal: number; isOwn: boolean };

export type Facts = Readonly<Record<string, readonly string[] | undefined>>;

export type RuleUnit = { element: HTMLDetailsElement; text: string; facts: Facts; cases: readonly ListedCase[] };

export type Units = { rules: readonly RuleUnit[]; cases: readonly { row: CaseRow; text: string; facts: Facts }[] };

export const ruleElements = all(document, 'details.rule', HTMLDetailsElement);

const toLowered = (values: readonly (string | undefined)[]) =>
  values.flatMap((value) => (value === undefined ? [] : [value.toLowerCase()]));

/** Text of a rule itself, without its cases. */
function ownText(rule: HTMLDetailsElement) {
  const parts = all(rule, ':scope > summary, :scope > .inside > :not(.listed, .elsewhere)', HTMLElement);
  return parts
    .map((element) => element.textContent ?? '')
    .join('\n')
    .toLowerCase();
}

function ruleFacts(rule: HTMLDetailsElement) {
  const { verdict, level, area, standing } = rule.dataset;
  return {
    is: toLowered([verdict, standing]),
    level: toLowered([level]),
    area: toLowered([area]),
    rule: toLowered([rule.querySelector(':scope > summary .id')?.textContent ?? '']),
  };
}

/** Facts of a case. It is found by its id, and by each part after a slash. */
const caseFacts = ({ id, kinds = [], endpoints = [], statuses = [] }: CaseRow): Facts => ({
  case: toLowered([id, ...id.split('/').slice(1)]),
  kind: toLowered(kinds),
  endpoint: toLowered(endpoints),
  status: statuses,
});

/** Readable text of a case: its row without its anchors and search facets. */
function caseText(row: CaseRow) {
  const { id, title, verdict, home, traffic, because, found, recorded, judges, position, again } = row;
  const findings = (found?.rows ?? []).flatMap(({ headline, known = [], facts }) => [headline, known, facts].flat(2));
  const parts = [id, title, verdict, home, traffic, because, findings, recorded, judges, position, again];
  return parts.flat(2).join(' ').toLowerCase();
}

async function readUnits(): Promise<Units> {
  const { inOrder, listed } = await rowsReading;
  const ordinals = new Map(inOrder.map((row, ordinal) => [row, ordinal]));
  const rules = ruleElements.map((element) => {
    const cases = (listed.get(element.id) ?? []).map((row) => ({
      ordinal: ordinals.get(row) ?? -1,
      isOwn: row.home?.[0] === element.id,
    }));
    return { element, text: ownText(element), facts: ruleFacts(element), cases };
  });
  return { rules, cases: inOrder.map((row) => ({ row, text: caseText(row), facts: caseFacts(row) })) };
}

export let unitsRead: Units | undefined;
let unitsReading: Promise<Units> | undefined;

/** Reads rules and cases on the first search. */
export function readUnitsOnce() {
  unitsReading ??= readUnits().then((units) => {
    unitsRead = units;
    return units;
  });
  return unitsReading;
}

/** Searchable texts of exchanges by case ordinal, and the number of cases left out. */
export type ExchangeTexts = { texts: readonly string[]; left: number };

/** Maximum characters of exchanges kept for a search; cases beyond them are left out, and the page says so. */
const maxKeptCharacters = 64_000_000;
/** Milliseconds of work after which the page may draw and handle keys. */
const sliceLength = 8;

/** Tells when a slice of work is over, and starts the next one. */
function startSlices() {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun > sliceLength,
    next: async () => {
      await new Promise((done) => setTimeout(done));
      begun = performance.now();
    },
  };
}

/** Removes the backslashes of JSON within JSON, so that bodies are found as they were sent. */
const searchableText = (line: string) => line.replaceAll('\\', '').toLowerCase();

/** Reads the exchanges block by block, in slices; reports its progress to `tell`. */
async function readDeep(tell: (share: number) => void): Promise<ExchangeTexts> {
  const { inOrder } = await rowsReading;
  const places = inOrder.flatMap(({ place }, ordinal) => (place ? [{ ordinal, block: place[0], line: place[1] }] : []));
  const blocks = groupBy(places, ({ block }) => String(block));
  const texts = inOrder.map(() => '');
  const slices = startSlices();
  let kept = 0;
  let left = 0;
  let done = 0;
  for (const [block, own] of blocks) {
    const lines = kept < maxKeptCharacters ? (await unpack(`block-${block}`)).split('\n') : [];
    for (const { ordinal, line } of own) {
      const text = lines[line] ?? '';
      kept += text.length;
      if (text === '') left += 1;
      else texts[ordinal] = searchableText(text);
      if (slices.isOver()) await slices.next();
    }
    done += 1;
    tell(done / blocks.size);
  }
  return { texts, left };
}

export let deepRead: ExchangeTexts | undefined;
let deepReading: Promise<ExchangeTexts> | undefined;
let reportShare: (share: number) => void = () => {};

/** Reads the exchanges on the first search in them; the last caller hears of its progress. */
export function readDeepOnce(tell: (share: number) => void) {
  reportShare = tell;
  deepReading ??= readDeep((share) => reportShare(share)).then((deep) => {
    deepRead = deep;
    return deep;
  });
  return deepReading;
}
