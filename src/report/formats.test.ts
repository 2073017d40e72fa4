import { describe, expect, it } from 'vitest';
import { buildResult } from '../testing/results/result.ts';
import { formats, isFormatName } from './formats.ts';
import { testedInterface } from '../testing/parts/tested-interface.ts';

describe('formats', () => {
  it.each([
    ['terminal', /^carrierspec 0\.1\.0 {2}run /],
    ['json', /^\{\n"format":"carrierspec-result",\n/],
    ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /],
    ['markdown', /^# ✅ carrierspec: conformant\n\n/],
    ['annotations', /^::notice /],
    ['ctrf', /^\{\n"reportFormat":"CTRF",\n/],
    ['har', /^\{\n"log":\{\n"version":"1\.2",\n/],
    ['sarif', /^\{\n"\$schema":"https:\/\/docs\.oasis-open\.org\/sarif\/.*",\n"version":"2\.1\.0",\n/],
    ['html', /^<!doctype html>\n<html lang="en">\n/],
  ] as const)('%s makes its report', async (name, start) => {
    const render = await formats[name]();
    expect([...render(buildResult(), testedInterface)].join('')).toMatch(start);
  });

  it('knows its names, and nothing of an object', () => {
    expect(Object.keys(formats).filter(isFormatName)).toEqual([
      'terminal',
      'json',
      'junit',
      'markdown',
      'annotations',
      'ctrf',
      'har',
      'sarif',
      'html',
    ]);
    expect(['toString', '__proto__', 'JSON', ''].filter(isFormatName)).toEqual([]);
  });
});
