import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../lib/json.ts';
import { dangersIn, hostileTexts, poisonResult } from '../../testing/carriers/hostile.ts';
import {
  buildCase,
  buildCutOffResult,
  buildDelivery,
  buildExchange,
  buildFinding,
  buildInvariant,
  buildResult,
  buildRule,
} from '../../testing/results/result.ts';
import { findingCodes } from '../../model/finding.ts';
import { messageKinds } from '../../model/suite.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { renderJson } from './render.ts';

const reports = new URL('../../../reports/', import.meta.url);
const schema: unknown = JSON.parse(await readFile(new URL('result.schema.json', reports), 'utf8'));
if (!isJsonObject(schema)) throw new Error('the schema of the result is not an object');
const ajv = new Ajv2020({ strict: true, allErrors: true });
const validate = ajv.compile(schema);

const write = (...result: Parameters<typeof renderJson>): string => [...renderJson(...result)].join('');
const parse = (text: string): unknown => JSON.parse(text);

function mistakes(document: unknown): readonly string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Messages that have every possible member once. */
const everyKind = buildResult({
  rules: [
    buildRule({
      verdict: 'attested',
      judged: 'attested',
      attestation: {
        by: 'test lab',
        on: '2026-11-01',
        description: 'It is so.',
        evidence: 'log.pdf',
        sha256: `sha256:${'0'.repeat(64)}`,
      },
    }),
  ],
  cases: [
    buildCase({
      reason: 'r',
      messages: [
        buildExchange({
          object: { header: { alg: 'RS256' }, claims: { iss: 'sp' } },
          noResponse: { reason: 'tls', detail: 'd' },
          differences: [{ what: 'signature', change: 'altered' }],
        }),
        buildDelivery({ step: 'replay', idToken: { header: null, claims: { sub: 's' } }, answered: 'held' }),
      ],
    }),
  ],
});

describe('renderJson', () => {
  it('has the members of the header at its top, then everything else', () => {
    const { header, cases, ...rest } = sampleResult;
    expect(parse(write(sampleResult))).toEqual({ ...header, ...rest, cases: [...cases] });
  });

  it('has no footer where the run was cut off', () => {
    const document = parse(write(buildCutOffResult()));
    expect(isJsonObject(document) && Object.keys(document).at(-1)).toBe('unsolicited');
    expect(mistakes(document)).toEqual([]);
  });

  it('holds one case at a time', () => {
    let held = 0;
    const cases = {
      *[Symbol.iterator]() {
        for (let index = 0; index < 20_000; index += 1) {
          held += 1;
          yield buildCase({ id: `case-${index}` });
        }
      },
    };
    let chunks = 0;
    for (const chunk of renderJson({ ...buildResult(), cases })) {
      chunks += 1;
      if (chunk.includes('"case-99"')) expect(held).toBe(100);
    }
    expect(held).toBe(20_000);
    expect(chunks).toBeGreaterThan(20_000);
  });

  it.each(Object.entries(hostileTexts))('brings back %s as it was, in characters that can be seen', (_, text) => {
    const hostile = poisonResult(sampleResult, text);
    const written = write(hostile);
    const { header, cases, ...rest } = hostile;
    expect(parse(written)).toEqual({ ...header, ...rest, cases: [...cases] });
    expect(dangersIn(written)).toEqual([]);
  });
});

describe('reports/result.schema.json', () => {
  it('has what the cases of a shard contributed', () => {
    const contributions = { 'a-case': { judged: { 'an-invariant': 2 }, violations: {}, messages: [] } };
    const document = parse(write({ ...everyKind, contributions }));
    expect(document).toMatchObject({ contributions });
    expect(mistakes(document)).toEqual([]);
  });

  it.each(findingCodes)('has the kind of finding: %s', (code) => {
    const one = buildCase({ findings: [buildFinding({ code })] });
    expect(mistakes(parse(write(buildResult({ cases: [one] }))))).toEqual([]);
  });

  it.each(messageKinds)('has the kind of message that invariants are about: %s', (on) => {
    expect(mistakes(parse(write(buildResult({ invariants: [buildInvariant({ on })] }))))).toEqual([]);
  });

  it.each([
    ['the sample', sampleResult],
    ['a small result', buildResult()],
    ['a message with every member', everyKind],
  ])('accepts %s', (_, result) => {
    expect(mistakes(parse(write(result)))).toEqual([]);
  });

  it.each([
    ['an unknown member at the top', '"version":3', '"version":3,"extra":1', ' must NOT have additional properties'],
    ['another version', '"version":3', '"version":2', '/version must be equal to constant'],
    [
      'an unknown verdict',
      '"verdict":"pass"',
      '"verdict":"ok"',
      '/rules/0/verdict must be equal to one of the allowed values',
    ],
    ['an unknown member of a case', '"title":', '"tittle":', "/cases/0 must have required property 'title'"],
    ['a member missing', '"selection":[],\n', '', " must have required property 'selection'"],
  ])('refuses %s', (_, from, to, mistake) => {
    const text = write(buildResult());
    expect(text).toContain(from);
    expect(mistakes(parse(text.replace(from, to)))).toContain(mistake);
  });

  it('is closed and described at every level', () => {
    const walk = (node: unknown, path: string): string[] => {
      if (Array.isArray(node)) return node.flatMap((item: unknown, index) => walk(item, `${path}/${index}`));
      if (!isJsonObject(node)) return [];
      const open = node['type'] === 'object' && !('additionalProperties' in node) ? [`${path} is open`] : [];
      const members = isJsonObject(node['properties']) ? Object.entries(node['properties']) : [];
      const bare = members.filter(
        ([, member]) => isJsonObject(member) && !('description' in member || '$ref' in member),
      );
      const below = Object.entries(node).flatMap(([name, member]) => walk(member, `${path}/${name}`));
      return [...open, ...bare.map(([name]) => `${path}/${name} has no description`), ...below];
    };
    expect(walk(schema, '')).toEqual([]);
  });
});
