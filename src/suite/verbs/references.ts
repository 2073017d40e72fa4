import { type Cursor, text } from '../yaml/document.ts';
import { suggestion } from '../../lib/suggest.ts';
import { reportAt, reportAtKey } from '../compile/context.ts';
import { anyText, flag, type Grammar, integer, json } from '../grammar/grammar.ts';
import type { ActContext, Makes, VerbTable } from './define.ts';

/** `of`: the place of the name of an earlier step. */
export const ofKey: Grammar<Cursor> = json({
  type: 'string',
  description: 'The step that sent the request which is meant; the last one unless said.',
});

export const repeatKeys = {
  times: integer(1, 100, { title: 'a whole number from 1 to 100', description: 'How often the exchange is repeated.' }),
  together: flag({
    title: 'true or false',
    description: 'The repetitions are sent all at once instead of one after the other.',
  }),
  interleave: anyText({
    title: 'the name of an earlier step',
    description: 'The exchange of that step is repeated as well, in random order with this one.',
  }),
};

/** What a step that sends a request and gets a response leaves for later ones. */
export const exchangeMembers = [
  'status',
  'headers',
  'body',
  'text',
  'url',
  'outcome',
  'summary',
  'sentAt',
  'receivedAt',
];

/** Reports a name that is not that of an earlier step. */
export function checkEarlier(cursor: Cursor, { earlier, report }: Pick<ActContext, 'earlier' | 'report'>): void {
  const name = text(cursor);
  if (name === undefined || earlier.some((step) => step.name === name)) return;
  const hint = suggestion(
    name,
    earlier.map((step) => step.name),
  );
  reportAt(cursor, { report }, { code: 'unknown-name', message: `no step before this one is called "${name}"`, hint });
}

const makersOf = (what: Makes, verbs: VerbTable): string =>
  verbs
    .filter(({ makes }) => makes.includes(what))
    .map(({ verb }) => verb)
    .join(' or ');

/** Reports a name that is not that of an earlier step with a signed object. */
export function checkReference(cursor: Cursor | undefined, { earlier, verbs, report, sends }: ActContext): void {
  const name = cursor === undefined ? undefined : text(cursor);
  if (cursor === undefined || name === undefined) return;
  const found = earlier.find((step) => step.name === name);
  if (found?.makes.includes('object') === true) {
    sends?.(name);
    return;
  }
  const names = earlier.filter(({ makes }) => makes.includes('object')).map((step) => step.name);
  const message =
    found === undefined
      ? `no step before this one is called "${name}"`
      : `"${name}" is a step of ${found.verb}, not of ${makersOf('object', verbs)}`;
  reportAt(cursor, { report }, { code: 'unknown-name', message, hint: suggestion(name, names) });
}

/** Checks `of` of an act that is about a pending request: the one it names, else that of the last authorize step. */
export function checkRequest(of: Cursor | undefined, place: Cursor, context: ActContext): void {
  checkReference(of, context);
  if (of !== undefined && text(of) !== undefined) return;
  if (context.earlier.some(({ makes }) => makes.includes('request'))) return;
  const message = `there is no ${makersOf('request', context.verbs)} step before this ${String(place.path.at(-1))}`;
  reportAtKey(place, context, { code: 'unknown-name', message });
}
