import { glob } from '../../engine/plan/select.ts';
import type { Row } from '../../lib/covering/domain.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Freedom } from '../../prove/space/freedoms.ts';
import { hintFor } from '../shared/choose.ts';

const unknown = (what: string, given: string, known: readonly string[]): CarrierspecError =>
  new CarrierspecError(`there is no ${what} ${given}; ${hintFor(given, known, 'see fixtures/space/freedoms.yaml')}`, {
    code: 'unknown-name',
  });

function choiceOf(given: string, freedoms: readonly Freedom[]): readonly [string, string] {
  const [id = '', name = ''] = given.split('/');
  const freedom = freedoms.find((one) => one.id === id);
  if (freedom === undefined)
    throw unknown(
      'freedom',
      id,
      freedoms.map((one) => one.id),
    );
  const names = freedom.choices.map((choice) => choice.name);
  if (!names.includes(name))
    throw unknown(
      'choice',
      given,
      names.map((one) => `${id}/${one}`),
    );
  return [id, name];
}

/** `freedom/choice` each: the one carrier that is meant; undefined where the names are of freedoms. */
export function givenChoices(names: readonly string[], freedoms: readonly Freedom[]): Row | undefined {
  if (!names.some((name) => name.includes('/'))) return undefined;
  return Object.fromEntries(names.map((name) => choiceOf(name, freedoms)));
}

/** The freedoms of these names or globs, all without any: the others keep their plain choice. */
export function chooseFreedoms(names: readonly string[], freedoms: readonly Freedom[]): readonly Freedom[] {
  if (names.length === 0) return freedoms;
  const chosen = new Set(
    names.flatMap((name) => {
      const found = freedoms.filter(({ id }) => glob(name, '').test(id));
      if (found.length === 0)
        throw unknown(
          'freedom',
          name,
          freedoms.map((one) => one.id),
        );
      return found;
    }),
  );
  return freedoms.filter((one) => chosen.has(one));
}
