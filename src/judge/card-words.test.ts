import { describe, expect, test } from 'vitest';
import type { Json } from '../lib/json.ts';
import { loadOne } from '../testing/parts/load-text.ts';
import { buildScope, buildTemplates } from '../testing/parts/templates.ts';
import { buildExpectation } from '../testing/parts/suite.ts';
import { describeCard } from './card-words.ts';
import type { Expectation } from '../suite/expectations/expectations.ts';

const cardFields = {
  context: 'the text of the request',
  scopes: 'the list of scopes',
  consentScreen: 'the list of scopes on the consent screen',
  order: 'the order of the screens',
  authentication: 'the authentication that was asked for',
  colourMode: 'the colour mode',
  openedUri: 'the URI that the phone opened',
};

const scope = buildScope({ each: { mode: 'dark' } });
const words = (parts: Partial<Expectation>): string => describeCard(buildExpectation(parts), scope, cardFields);

/** Card schema, compiled like the suite loader's. */
async function cardOf(schema: Json): Promise<Partial<Expectation>> {
  const { steps } = await loadOne(
    `  - { id: one, title: One, rule: REQ-001, steps: [{ authorize: {} }, { look: card, expect: { card: ${JSON.stringify(schema)} } }] }`,
  );
  const [found] = steps[1]?.expectations ?? [];
  if (found === undefined) throw new Error('no expectation');
  return found;
}

describe('what is to be seen, in words', () => {
  test.each<[Record<string, Json>, string]>([
    [{ 'card.shown': true }, 'the request is shown'],
    [{ 'card.shown': false }, 'the request is not shown'],
    [{ 'card.openedUri': null }, 'the URI that the phone opened is nothing'],
    [{ 'card.order': ['consent', 'context'] }, 'the order of the screens is ["consent","context"]'],
    [{ 'card.colourMode': '{{ each.mode }}', 'card.other': 5 }, 'the colour mode is "dark", and other is 5'],
  ])('equals %j', (equals, expected) => {
    expect(words({ equals: buildTemplates(equals, ['each']) })).toBe(expected);
  });

  test('what an earlier step did not leave is named', () => {
    const equals = buildTemplates({ 'card.colourMode': '{{ plain.card.colourMode }}' }, ['plain']);
    expect(words({ equals })).toBe('the colour mode is the same as at step plain (colourMode)');
  });

  test.each<[Json, string]>([
    [{ type: 'object', properties: { shown: { const: false } } }, 'the request is not shown'],
    [
      { required: ['authentication'], properties: { authentication: { enum: ['full', 'reused'] } } },
      'the authentication that was asked for is one of "full", "reused"',
    ],
    [
      { type: 'object', required: ['openedUri'], properties: { openedUri: { type: 'string' } } },
      'the URI that the phone opened is there, as string',
    ],
    [{ required: ['context'] }, 'the text of the request is there'],
    [
      { properties: { consentScreen: { type: 'array', minItems: 1 } } },
      'the list of scopes on the consent screen has an entry',
    ],
    [
      {
        properties: {
          consentScreen: { type: 'array', allOf: ['name', 'email'].map((name) => ({ contains: { const: name } })) },
        },
      },
      'the list of scopes on the consent screen has "name", and the list of scopes on the consent screen has "email"',
    ],
    [
      JSON.parse('{"if":{"properties":{"shown":{"const":true}}},"then":{"required":["context"]}}'),
      'if the request is shown, then the text of the request is there',
    ],
    [
      { properties: { openedUri: { not: { type: 'string', pattern: 'x', description: 'a URI with a code' } } } },
      'the URI that the phone opened is not a URI with a code',
    ],
    [
      { properties: { openedUri: { not: { pattern: 'x' }, maxLength: 5 } } },
      'the URI that the phone opened fits {"not":{"pattern":"x"},"maxLength":5}',
    ],
  ])('the schema %j', async (schema, expected) => {
    expect(words(await cardOf(schema))).toBe(expected);
  });

  test('what may be absent, and what must differ, is asked as well', () => {
    const wanted = (paths: Record<string, Json>) => buildTemplates(paths, ['each']);
    expect(
      words({
        equalsOrAbsent: wanted({ 'card.context': 'Pay' }),
        differs: wanted({ 'card.colourMode': '{{ each.mode }}' }),
      }),
    ).toBe(
      'the text of the request is "Pay", unless nothing is there of it, and it is not so that the colour mode is "dark"',
    );
  });

  test('absent, and a named check', () => {
    expect(words({ absent: ['card.openedUri'], checks: ['opened-uri-is-redirect'] })).toBe(
      'the URI that the phone opened is not there, and this holds: opened uri is redirect',
    );
  });

  test('nothing that a phone shows', () => {
    expect(words({})).toBe('the phone shows what the case says');
  });
});
