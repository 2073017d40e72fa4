import { at, type Cursor, items, cursorText as textOf } from '../yaml/document.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import { isJsonObject, type Json, type JsonObject, isList } from '../../lib/json.ts';
import { list, object, placed, nonEmptyText } from '../grammar/grammar.ts';
import { substituteNames, substituteInText, type Substitutes } from '../template/template.ts';
import { ExpressionMistake } from '../template/names.ts';
import { type CompileContext, type NearMisses, reportAt } from '../context.ts';

/** `near` of a step: repeats the step for each near miss, which its templates read as `{{ near }}`. */
export const nearShape = placed(
  object(
    {
      of: nonEmptyText({ description: 'The right value, as an expression: subscriber.sub.' }),
      among: nonEmptyText({
        description: 'A list of all right values, where there are several: client.redirect_uris.',
      }),
      by: list(nonEmptyText(), {
        title: 'a list of near misses',
        minItems: 1,
        description: 'Names or groups of suites/near-misses.yaml.',
      }),
    },
    {
      title: 'near',
      required: ['of', 'by'],
      description: 'The step is done once for each near miss of a value, which it reads as {{ near }}.',
    },
  ),
);

const readsNear = /\bnear\b/;

const noNearMisses: NearMisses = { groups: new Map(), expressions: new Map() };

interface NearContext extends Pick<CompileContext, 'known' | 'report'> {
  /** Row of the matrix, if any. */
  readonly row: Cursor | undefined;
}

/** Returns the step itself, or for `near` one step for each near miss, named after both. */
export function withNearMisses(step: Cursor, number: number, context: NearContext): readonly Cursor[] {
  const near = at(step, 'near');
  const right = textOf(at(near, 'of'));
  if (right === undefined || !isJsonObject(step.value)) return [step];
  const among = textOf(at(near, 'among')) ?? right;
  const { near: _near, as: _as, ...rest } = step.value;
  if (!readsNear.test(JSON.stringify([rest, context.row?.value ?? null]))) {
    reportAt(at(step, 'near'), context, { code: 'bad-template', message: 'nothing in this step reads {{ near }}' });
    return [step];
  }
  const called = textOf(at(step, 'as')) ?? `step${number}`;
  const { expressions } = context.known.nearMisses ?? noNearMisses;
  return items(at(near, 'by')).flatMap((by) =>
    nearMissNames(by, context).map((name) => {
      const miss = substituteNearMiss(by, { near: expressions.get(name) ?? '', right, among }, context);
      const value = { ...replaceEach(rest, context), as: `${called}-${name}` };
      return { ...step, value: substituteValue(value, new Map([['near', miss]])) };
    }),
  );
}

/** Replaces `each` by the row, because the row's templates can read the near miss too. */
function replaceEach(step: JsonObject, { row }: NearContext): JsonObject {
  if (!isJsonObject(row?.value)) return step;
  const { with: _, receiver: _receiver, ...difference } = row.value;
  return Object.fromEntries(Object.entries(step).map(([key, value]) => [key, value === 'each' ? difference : value]));
}

interface NearMissTerms {
  readonly near: string;
  readonly right: string;
  readonly among: string;
}

function substituteNearMiss(by: Cursor, { near, right, among }: NearMissTerms, context: NearContext): string {
  const substitutes = new Map([
    ['right', right],
    ['among', among],
  ]);
  try {
    return substituteNames(near, substitutes);
  } catch (mistake) {
    if (!(mistake instanceof ExpressionMistake)) throw mistake;
    reportAt(by, context, { code: 'bad-template', message: mistake.message });
    return right;
  }
}

function nearMissNames(by: Cursor, context: NearContext): readonly string[] {
  const name = textOf(by) ?? '';
  const { groups, expressions } = context.known.nearMisses ?? noNearMisses;
  const group = groups.get(name);
  if (group !== undefined) return group;
  if (expressions.has(name)) return [name];
  const hint = suggestKnown(name, [...groups.keys(), ...expressions.keys()]);
  reportAt(by, context, { code: 'unknown-name', message: `there is no near miss "${name}"`, hint });
  return [];
}

function substituteValue(value: Json, substitutes: Substitutes): Json {
  if (typeof value === 'string') return substituteInText(value, substitutes);
  if (isList(value)) return value.map((item) => substituteValue(item, substitutes));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substituteValue(one, substitutes)]));
}
