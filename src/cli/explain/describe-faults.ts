import { countOf, groupBy, listIds } from '../../lib/lists.ts';
import type { Rule } from '../../model/rule.ts';
import type { Judges } from '../shared/choose.ts';
import { type Block, fact, heading, type Names, nameOf, namesOf, paragraph } from './blocks.ts';

/** A part of the reference carrier, and where it is defined where that is known. */
export interface FaultPart {
  /** `check`, `reader`, `builder`, `policy` ... */
  readonly kind: string;
  readonly name: string;
  readonly position?: string;
}

/** What a rule's page needs of a fault of the reference carrier. */
export interface KnownFault {
  readonly name: string;
  readonly description: string;
  readonly breaks: readonly string[];
  /** `src/carrier/faults/x.ts:12` */
  readonly position?: string;
  /** What of the reference carrier it changes: what the rule is about. */
  readonly parts: () => readonly FaultPart[];
}

/** Ids of the tests that name a fault, shown before "and 7 more". */
const detectorLimit = 5;
/** Faults that are shown where no test of the rule names one. */
const shownWithoutDetector = 3;
const foldedLimit = 12;
const partLimit = 3;
const otherLimit = 8;

interface Proving {
  readonly fault: KnownFault;
  /** Tests of this rule that must detect it. */
  readonly detectedBy: readonly string[];
}

/** The faults that prove a rule: those that its own tests detect first, then those that break the fewest rules. */
function provingFaults({ id }: Rule, judges: Judges, faults: readonly KnownFault[]): readonly Proving[] {
  const tests = [...judges.cases, ...judges.invariants];
  const proving = faults.map((fault) => ({
    fault,
    detectedBy: tests.filter(({ detects }) => detects.includes(fault.name)).map((test) => test.id),
  }));
  return proving
    .filter(({ fault, detectedBy }) => fault.breaks.includes(id) || detectedBy.length > 0)
    .toSorted(
      (left, right) =>
        Number(right.detectedBy.length > 0) - Number(left.detectedBy.length > 0) ||
        left.fault.breaks.length - right.fault.breaks.length,
    );
}

/** `the check jti-not-repeated, src/carrier/checks/subscriber.ts:105` */
const partInWords = ({ kind, name, position }: FaultPart): string =>
  `the ${kind} ${name}${position === undefined ? '' : `, ${position}`}`;

export function describeParts(parts: readonly FaultPart[]): readonly string[] {
  const more = parts.length - partLimit;
  return [
    ...parts.slice(0, partLimit).map((part) => `changes ${partInWords(part)}`),
    ...(more > 0 ? [`and ${countOf(more, 'more part')}`] : []),
  ];
}

/** Names of which so many are shown, and how many more there are. */
const folded = (kind: string, ids: readonly string[], limit: number): Names => namesOf(kind, ids, listIds(ids, limit));

function renderFault({ fault, detectedBy }: Proving, rule: string): readonly Block[] {
  const { name, description, breaks, position } = fault;
  const others = breaks.filter((id) => id !== rule);
  const broken = !breaks.includes(rule)
    ? []
    : others.length === 0
      ? ['breaks this rule']
      : ['breaks this rule, and ', folded('rule', others, otherLimit)];
  const detected = detectedBy.length === 0 ? [] : ['detected by ', folded('case', detectedBy, detectorLimit)];
  return [
    ...paragraph([nameOf('fault', name)], { tone: 'strong' }),
    ...paragraph(description, { indent: 4 }),
    ...paragraph([...broken, ...(broken.length > 0 && detected.length > 0 ? ['; '] : []), ...detected], { indent: 4 }),
    ...describeParts(fault.parts()).flatMap((line) => paragraph(line, { indent: 4 })),
    ...paragraph(position, { indent: 4, tone: 'faint' }),
  ];
}

/** What a rule is proved by. */
interface Proof {
  readonly judges: Judges;
  readonly faults: readonly KnownFault[];
  /** What a printed command ends with. */
  readonly flags: string;
}

/** What shows that a rule can fail: the faults its tests detect in full, the others that break it on one line. */
export function renderFaults(rule: Rule, { judges, faults }: Omit<Proof, 'flags'>): readonly Block[] {
  const proving = provingFaults(rule, judges, faults);
  if (proving.length === 0) return [heading('Faults', 'none of the reference carrier proves this rule')];
  const detected = proving.filter(({ detectedBy }) => detectedBy.length > 0).length;
  const shown = detected > 0 ? detected : shownWithoutDetector;
  const others = proving.slice(shown).map(({ fault }) => fault.name);
  return [
    heading('Faults', `${countOf(proving.length, 'fault')} of the reference carrier`),
    ...proving.slice(0, shown).flatMap((one) => renderFault(one, rule.id)),
    ...(others.length === 0 ? [] : paragraph(['broken as well by ', folded('fault', others, foldedLimit)])),
  ];
}

/** Of the parts whose place is known, which it is in a checkout: a name alone leads nowhere. */
const partsByWords = (proving: readonly Proving[]) =>
  groupBy(
    proving.flatMap(({ fault }) => fault.parts()).filter(({ position }) => position !== undefined),
    partInWords,
  );

/** The check or the reader that most of the faults change. */
function checkOf(proving: readonly Proving[]): readonly string[] {
  const checks = [...partsByWords(proving)].filter(([, [part]]) => part?.kind === 'check' || part?.kind === 'reader');
  const [most] = checks.toSorted(([, one], [, other]) => other.length - one.length);
  return most === undefined ? [] : [most[0]];
}

/**
 * What of the reference carrier keeps a rule: what most of the faults take away that break it and little else; nothing where they
 * differ. A value of the policy is read by a check.
 */
function keptBy(proving: readonly Proving[]): readonly string[] {
  const fewest = Math.min(...proving.map(({ fault }) => fault.breaks.length));
  const narrow = proving.filter(({ fault }) => fault.breaks.length === fewest);
  const kept = [...partsByWords(narrow)].filter(([, parts]) => 2 * parts.length > narrow.length);
  const words = kept.slice(0, partLimit).map(([text]) => text);
  const isPolicy = kept.length > 0 && kept.every(([, [part]]) => part?.kind === 'policy');
  return isPolicy ? [...checkOf(proving), ...words] : words;
}

/** Mistakes of a carrier's engineer that break a rule and little else, shown with it. */
const mistakeLimit = 3;

/** How a carrier comes to keep a rule: the mistakes that break it, where the reference carrier keeps it, and how to see that. */
export function fixBlocks(rule: Rule, { judges, faults, flags }: Proof): readonly Block[] {
  const breaking = provingFaults(rule, judges, faults).filter(({ fault }) => fault.breaks.includes(rule.id));
  const [worst] = breaking;
  const isRun = judges.cases.length + judges.invariants.length > 0;
  if (!isRun) return [];
  const run = `carrierspec run ${rule.id}`;
  return [
    heading('How to fix', 'where it is broken'),
    ...fact('change', `the carrier so that this holds: ${rule.description}`),
    ...breaking.slice(0, mistakeLimit).flatMap(({ fault }) => fact('look for', fault.description)),
    ...keptBy(breaking).flatMap((words) => fact('see', `${words}: there the reference carrier keeps it`)),
    ...fact('see it hold', `${run}${flags}`, { whole: true }),
    ...(worst === undefined ? [] : fact('see it fail', `${run} --fault ${worst.fault.name}${flags}`, { whole: true })),
    ...fact('try yours', `${run} --target carrier.yaml${flags}`, { whole: true }),
  ];
}
