import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, isList } from '../../lib/json.ts';
import { describeSchemaWords, describeKeyword } from '../../lib/schema-words.ts';
import { schemaKeywords } from '../../suite/expectations/schema-check.ts';
import { describeCard } from '../../judge/card-words.ts';
import { loadShipped } from '../../testing/parts/shipped-suites.ts';
import { buildScope } from '../../testing/parts/templates.ts';
import { serverInitiated } from './interface.ts';

const { suites } = await loadShipped();

/** Keywords that have no words of their own: `if` describes them. */
const silent = new Set(['then', 'else', 'title', 'description', '$comment']);

/** Every schema within a schema, with its keywords. */
function within(schema: Json): readonly Readonly<Record<string, Json>>[] {
  if (!isJsonObject(schema)) return [];
  return [
    schema,
    ...Object.entries(schema)
      .flatMap(([name, value]): readonly Json[] => {
        const kind = schemaKeywords.get(name);
        if (kind === 'map') return Object.values(isJsonObject(value) ? value : {});
        return kind === 'schema' || kind === 'schemas' ? (isList(value) ? value : [value]) : [];
      })
      .flatMap(within),
  ];
}

describe('the words of schemas', () => {
  test('are there for every keyword that a suite may use', () => {
    const without = [...schemaKeywords.keys()].filter((name) => describeKeyword(name, []) === undefined);
    expect(new Set(without)).toEqual(silent);
  });

  test('are there for every schema of the shipped suites', () => {
    const expectations = [
      ...suites.cases.flatMap(({ steps }) => steps.flatMap((step) => step.expectations)),
      ...suites.invariants.flatMap((one) => one.expectations),
    ];
    const schemas = expectations.flatMap(({ body, idToken, card, set, setHeader }) =>
      [body, idToken, card, set, setHeader].flatMap((check) => (check === undefined ? [] : within(check.schema))),
    );
    expect(schemas.length).toBeGreaterThan(500);
    for (const schema of schemas) {
      const wordless = Object.entries(schema).filter(([name, value]) => {
        return !silent.has(name) && describeKeyword(name, value, schema) === undefined;
      });
      expect(wordless).toEqual([]);
      const asks = Object.keys(schema).some((name) => !silent.has(name));
      if (asks) expect(describeSchemaWords(schema)).not.toMatch(/^anything$|undefined|\[object/);
    }
  });
});

test('what an operator is asked to see has words, whatever the suites look for', () => {
  const looks = suites.cases.flatMap(({ steps }) => steps.filter(({ act }) => act.verb === 'look'));
  const asked = looks.flatMap(({ expectations }) =>
    expectations.map((one) => describeCard(one, buildScope({}), serverInitiated.cardFields)),
  );
  expect(asked.length).toBeGreaterThan(40);
  expect(asked.filter((words) => / fits \{|what the case says/.test(words))).toEqual([]);
});
