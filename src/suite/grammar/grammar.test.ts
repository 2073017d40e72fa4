import { documentRoot, parseYaml } from '../yaml/document.ts';
import { describe, expect, test } from 'vitest';
import { checkSchema, grammarValidator } from './check-schema.ts';
import {
  either,
  flag,
  type Grammar,
  integer,
  list,
  mapping,
  members,
  named,
  object,
  listOrOne,
  documentSchema,
  nonEmptyText,
  word,
} from './grammar.ts';

function read<Value>(shape: Grammar<Value>, yaml: string) {
  const document = parseYaml(yaml, 'a.yaml');
  const file = object({ it: shape }, { title: 'a file' });
  const messages = checkSchema(document, grammarValidator(file)).map(({ message }) => message);
  return { value: file.read(documentRoot(document))?.it, messages };
}

const person = members({ name: nonEmptyText(), age: integer(0, 150) }, { title: 'a person', required: ['name'] });

describe('a shape', () => {
  test.each<[string, Grammar<unknown>, string, unknown]>([
    ['text', nonEmptyText(), 'it: a', 'a'],
    ['no flag', flag(), 'it: false', false],
    ['a word', word(['a', 'b']), 'it: b', 'b'],
    ['a list', list(integer(1, 9)), 'it: [1, 2]', [1, 2]],
    ['one for a list', listOrOne(nonEmptyText()), 'it: a', ['a']],
    [
      'a list of one shape or another',
      listOrOne(either(word(['a']), person)),
      'it: [a, { name: b }]',
      ['a', { name: 'b' }],
    ],
    [
      'a mapping in its order',
      mapping(flag()),
      'it: { z: true, a: false }',
      [
        ['z', true],
        ['a', false],
      ],
    ],
    ['members', person, 'it: { name: a, age: 3 }', { name: 'a', age: 3 }],
    ['a name that every object has', mapping(nonEmptyText()), 'it: { __proto__: a }', [['__proto__', 'a']]],
  ])('reads %s', (_what, shape, yaml, expected) =>
    expect(read(shape, yaml)).toEqual({ value: expected, messages: [] }),
  );

  test('with a name stands once in the schema', () => {
    const shape = named('person', person);
    const schema = documentSchema(object({ one: shape, all: list(shape) }));
    expect(schema['definitions']).toEqual({ person: person.schema });
    expect(schema['properties']).toEqual({
      one: { $ref: '#/definitions/person' },
      all: { type: 'array', items: { $ref: '#/definitions/person' } },
    });
  });
});

test('of a large file the first mistake is looked for, not every one', () => {
  const many = (count: number): number => read(list(integer(1, 9)), `it: [${'0,'.repeat(count)}]`).messages.length;
  expect([many(3), many(30_000)]).toEqual([3, 1]);
});
