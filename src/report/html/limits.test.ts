import { describe, expect, test } from 'vitest';
import type { AllowedLimit } from '../../model/allowed-limit.ts';
import type { LimitResult } from '../../model/limit.ts';
import { renderLimitSection, createScale, valueInUnit, chooseLandmarks } from './limits.ts';

const limit: LimitResult = {
  name: 'iat-age',
  title: 'How old iat may be',
  rules: [{ rule: 'REQ-009' }],
  state: 'limit',
  value: 300,
  uncertainty: 1,
  unit: 's',
  words: 'refuses iat older than 300 s ± 1 s',
  probes: [
    { at: 0, held: true, response: 'accepted' },
    { at: 604_800, held: false, response: 'denied 400' },
    { at: 295, held: true, response: 'accepted' },
  ],
};
const allowed: AllowedLimit = {
  from: 300,
  to: 300,
  unit: 's',
  level: 'recommended',
  clause: '2.3 iat',
  words: 'five minutes',
};
const links = { toRules: () => 'REQ-009', toCase: (id: string) => id };

const draw = (one: LimitResult, known: AllowedLimit | undefined): string =>
  renderLimitSection([one], () => known, links).markup;

describe('the picture of a limit', () => {
  test('has each value that was tried, above the line where it was accepted, below it where it was not', () => {
    const page = draw(limit, allowed);
    expect(page.match(/class="held" d="([^"]*)"/)?.[1]?.match(/M/g)).toHaveLength(2);
    expect(page.match(/class="refused" d="([^"]*)"/)?.[1]?.match(/M/g)).toHaveLength(1);
    expect(page).toContain(
      'aria-label="How old iat may be: refuses iat older than 300 s ± 1 s. 2 values accepted, 1 not."',
    );
  });

  test('has the limit with its uncertainty, and one value that is allowed as a mark', () => {
    const page = draw(limit, allowed);
    expect(page).toContain('>300 s ± 1 s</text>');
    expect(page).toContain('class="blur"');
    expect(page).toContain('class="allowed-here"');
    expect(page).toContain('as the interface recommends</span>: five minutes');
  });

  test('says where it is not as the interface states', () => {
    expect(draw({ ...limit, value: 120 }, allowed)).toContain('s-differs">not as the interface recommends');
    const required = { ...allowed, level: 'required' } as const;
    expect(draw({ ...limit, value: 120 }, required)).toContain('s-outside">not as the interface states');
    expect(draw(limit, required)).toContain('s-within">as the interface states');
    const page = draw({ ...limit, value: 400 }, { ...allowed, to: 600 });
    expect(page).toContain('class="allowed"');
    expect(page).toContain('s-within');
  });

  test('is an arrow where no limit was found, and nothing where nothing was measured', () => {
    const { value: _, uncertainty: __, ...without } = limit;
    expect(draw({ ...limit, state: 'beyond' }, undefined)).toContain('>≥ 300 s ± 1 s</text>');
    const page = draw({ ...without, state: 'unmeasured', words: 'not measured', probes: [] }, allowed);
    expect(page).not.toContain('<rect class="blur"');
    expect(page).not.toContain('s-within');
    expect(draw({ ...without, state: 'unmeasured', words: 'not measured', probes: [] }, undefined)).not.toContain(
      '<svg',
    );
  });

  test.each([1e308, -5, 0, Number.MAX_SAFE_INTEGER])('holds a value that no carrier should have: %d', (value) => {
    const probes = [{ at: value, held: true, response: '' }];
    const page = draw({ ...limit, value, probes }, allowed);
    expect(page).not.toMatch(/NaN|Infinity/);
    for (const [, x = ''] of page.matchAll(/ x1?="([^"]*)"/g)) expect(Math.abs(Number(x))).toBeLessThanOrEqual(560);
  });
});

describe('the scale of a limit', () => {
  test('goes by the logarithm, from edge to edge', () => {
    const scale = createScale([0, 1000], { left: 10, right: 110 });
    expect([scale(0), scale(1000), scale(5000), scale(-3)]).toEqual([10, 110, 110, 10]);
    expect(scale(31)).toBeGreaterThan(55);
  });

  test('writes what a reader knows, as far as there is room', () => {
    const scale = createScale([0, 2_592_000], { left: 0, right: 500 });
    const marks = chooseLandmarks('s', { least: 0, greatest: 2_592_000 }, scale);
    expect(marks.map((value) => valueInUnit(value, 's'))).toEqual(['0 s', '10 s', '300 s', '30 min', '6 h', '7 d']);
  });

  test.each([
    [300, '300 s'],
    [1800, '30 min'],
    [172_800, '48 h'],
    [172_801, '172,801 s'],
    [604_800, '7 d'],
  ])('%d s is %s', (seconds, words) => {
    expect(valueInUnit(seconds, 's')).toBe(words);
  });
});
