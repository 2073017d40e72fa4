import { at, documentRoot, parseYaml } from '../yaml/document.ts';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import { MissingValue, type Scope } from '../../model/suite.ts';
import type { Names } from './names.ts';
import { compileMoment, compileTemplate, compileTemplateMap } from './template.ts';

const claims = { jti: 'abc', deep: { list: [1, 2] } };
const scope: Scope = {
  now: () => 1000,
  random: (bytes) => 'f'.repeat(bytes * 2),
  root: (name) =>
    name === 'first' ? { claims, sentAt: 5.5, odd: () => 1, holes: [undefined, Number.NaN] } : undefined,
};
const names: Names = new Map([
  ['now', new Set<string>()],
  ['first', undefined],
]);

function compile(yaml: string) {
  const problems: Problem[] = [];
  const cursor = at(documentRoot(parseYaml(yaml, 'x.yaml')), 'v');
  return { cursor, problems, context: { names, report: (problem: Problem) => problems.push(problem) } };
}

function template(yaml: string) {
  const { cursor, problems, context } = compile(yaml);
  return { template: compileTemplate(cursor, context), problems };
}

describe('values', () => {
  test.each<[string, Json]>([
    ['v: 300', 300],
    ['v: null', null],
    ['v: plain', 'plain'],
    ['v: "{{ now }}"', 1000],
    ['v: "{{now}}"', 1000],
    ['v: " {{ now }}"', ' 1000'],
    ['v: "at {{ now + 1m }}, {{ first.claims.jti }}."', 'at 1060, abc.'],
    ['v: "{{ first.claims.deep }}"', { list: [1, 2] }],
    ['v: "is {{ first.claims.deep }}"', 'is {"list":[1,2]}'],
    ["v: \"{{ '{{' }} and {{ '}}' }}\"", '{{ and }}'],
    ['v: "}} is no template {"', '}} is no template {'],
    [
      'v: { a: ["{{ now }}", 2], b: { c: "{{ first.claims.jti }}" }, d: null }',
      { a: [1000, 2], b: { c: 'abc' }, d: null },
    ],
    ['v: { "{{ now }}": 1 }', { '{{ now }}': 1 }],
  ])('%s', (yaml, expected) => {
    const { template: compiled, problems } = template(yaml);
    expect(problems).toEqual([]);
    expect(compiled.evaluate(scope)).toEqual(expected);
  });

  test('a value without templates is one shared constant', () => {
    const { template: compiled } = template('v: { a: [1, 2] }');
    expect(compiled.evaluate(scope)).toBe(compiled.source);
    expect(compiled.paths).toEqual([]);
  });

  test('a value of the scope is copied', () => {
    const { template: compiled } = template('v: "{{ first.claims }}"');
    expect(compiled.evaluate(scope)).toEqual(claims);
    expect(compiled.evaluate(scope)).not.toBe(claims);
  });

  test('__proto__ is a name like any other', () => {
    const { template: compiled } = template('v: { __proto__: "{{ now }}", a: 1 }');
    expect(JSON.stringify(compiled.evaluate(scope))).toBe('{"__proto__":1000,"a":1}');
  });

  test('what JSON cannot hold does not leave the scope', () => {
    expect(template('v: "{{ first.holes }}"').template.evaluate(scope)).toEqual([null, null]);
    expect(() => template('v: "{{ first.odd }}"').template.evaluate(scope)).toThrow(new MissingValue('first.odd'));
  });

  test('it tells the paths it reads', () => {
    const { template: compiled } = template('v: ["{{ first.claims.jti }}", { a: "{{ now }} {{ first.sentAt }}" }]');
    expect(compiled.paths).toEqual([['first', 'claims', 'jti'], ['now'], ['first', 'sentAt']]);
  });

  test('a map keeps its order', () => {
    const { cursor, context } = compile('v: { b: 1, a: "{{ now }}", 10: x }');
    expect(
      compileTemplateMap(cursor, context)
        .map(([name]) => name)
        .sort(),
    ).toEqual(['10', 'a', 'b']);
    expect(compileTemplateMap(at(documentRoot(parseYaml('v: { b: 1, a: 2 }', 'x')), 'v'), context)[0]?.[0]).toBe('b');
  });
});

test('mistakes: a value with a mistake is missing', () => {
  const { template: compiled } = template('v: "{{ nwo }}"');
  expect(() => compiled.evaluate(scope)).toThrow(MissingValue);
});

describe('moments', () => {
  test.each([
    ['v: first + 4m30s', 275_500],
    ['v: now', 1_000_000],
    ['v: first - 500ms', 5000],
  ])('%s', (yaml, expected) => {
    const { cursor, problems, context } = compile(yaml);
    expect(compileMoment(cursor, context)?.evaluate(scope)).toBe(expected);
    expect(problems).toEqual([]);
  });

  test('a moment that is no number is missing', () => {
    const { cursor, context } = compile('v: first.claims.jti');
    expect(() => compileMoment(cursor, context)?.evaluate(scope)).toThrow(
      new MissingValue('moment "first.claims.jti"'),
    );
  });
});
