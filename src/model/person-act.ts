import type { Attempt } from './exchange.ts';
import type { RuleRef } from './rule.ts';

/** Question to a person at a phone or at the carrier, and the answer (P22). */
export interface PersonAct {
  readonly step: string;
  readonly action: string;
  /** The question, without credentials. */
  readonly asked: string;
  /** `done: the note (evidence card.png sha256:...)`; `nothing` if the time was up. */
  readonly answered: string;
  /** Name typed at the page, or the user of the terminal; absent if unknown. */
  readonly by?: string;
  /** Time of the answer: milliseconds since the epoch, on the run's clock. */
  readonly at: number;
  /** Try of the case in which it was asked; `again` is the second asking. */
  readonly try: 'first' | Attempt;
}

/** Answers of people in a run, by name. */
export interface PeopleSummary {
  readonly answers: number;
  /** Number of answers to questions that a second try of a case asked. */
  readonly again: number;
  /** Number of cases with an answer. */
  readonly cases: number;
  /** Most answers first; the rest, and answers without a name, are counted in `answers` only. */
  readonly names: readonly { readonly name: string; readonly answers: number }[];
  /** Rules that cases with an answer judge. */
  readonly rules: readonly string[];
}

/** Longest name of a person, in UTF-16 units, and most names that a summary lists. */
export const maxPersonName = 40;
const maxListedPeople = 20;

/** Word of an answer that never came. */
export const unanswered = 'nothing';

interface AttendedCase {
  readonly acts?: readonly PersonAct[];
  readonly rules: readonly RuleRef[];
}

/** Counts the answers of people; undefined if there are none. */
export function summarizePeople(cases: Iterable<AttendedCase>): PeopleSummary | undefined {
  const names = new Map<string, number>();
  const rules = new Set<string>();
  let [answers, again, attended] = [0, 0, 0];
  for (const one of cases) {
    const given = (one.acts ?? []).filter(({ answered }) => answered !== unanswered);
    if (given.length === 0) continue;
    attended += 1;
    answers += given.length;
    again += given.filter((act) => act.try === 'again').length;
    for (const { by } of given) if (by !== undefined) names.set(by, (names.get(by) ?? 0) + 1);
    for (const { rule } of one.rules) rules.add(rule);
  }
  if (attended === 0) return undefined;
  const listed = [...names].toSorted(([one, most], [other, more]) => more - most || (one < other ? -1 : 1));
  return {
    answers,
    again,
    cases: attended,
    names: listed.slice(0, maxListedPeople).map(([name, count]) => ({ name, answers: count })),
    rules: [...rules].toSorted(),
  };
}

/** `30 answers of people in 12 cases: Ann 20, Ben 9, without a name 1; 2 to a second asking`. */
export function peopleWords({ answers, again, cases, names }: PeopleSummary): string {
  const named = names.reduce((sum, one) => sum + one.answers, 0);
  const who = [
    ...names.map((one) => `${one.name} ${one.answers}`),
    ...(answers > named
      ? [`${names.length === maxListedPeople ? 'others' : 'without a name'} ${answers - named}`]
      : []),
  ];
  const second = again === 0 ? '' : `; ${again} to a second asking`;
  const [one, of] = [answers === 1 ? 'answer' : 'answers', cases === 1 ? 'case' : 'cases'];
  return `${answers} ${one} of people in ${cases} ${of}: ${who.join(', ')}${second}`;
}

const maxMoment = 8.64e15;

/** ISO 8601; a number that is no moment stays as it is, because a result may come from a stranger. */
const formatMoment = (at: number): string => (Math.abs(at) <= maxMoment ? new Date(at).toISOString() : String(at));

/** `Ann was asked "Deny the request on the phone" and answered "done" at 2026-11-28T20:00:00.000Z`. */
export function actWords({ by, asked, answered, at }: PersonAct): string {
  const said = answered === unanswered ? 'did not answer in time, until' : `answered "${answered}" at`;
  return `${by ?? 'the operator'} was asked "${asked}" and ${said} ${formatMoment(at)}`;
}
