import { describe, expect, it } from 'vitest';
import { buildResult } from '../testing/result.ts';
import { formats, isFormatName } from './formats.ts';

describe('formats', () => {
  it.each([
    ['terminal', /^carrierspec 0\.1\.0 {2}run /],
    ['json', /^\{\n"format":"carrierspec-result",\n/],
    ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /],
    ['markdown', /^# ✅ carrierspec: conformant\n\n/],
    ['annotations', /^$/],
    ['ctrf', /^\{\n"reportFormat":"CTRF",\n/],
    ['har', /^\{\n"log":\{\n"version":"1\.2",\n/],
    ['tap', /^TAP version 14\n# carrierspec /],
    ['html', /^<!doctype html>\n<html lang="en">\n/],
  ] as const)('%s makes its report', async (name, start) => {
    const render = await formats[name]();
    expect([...render(buildResult(), () => [])].join('')).toMatch(start);
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
      'tap',
      'html',
    ]);
    expect(['toString', '__proto__', 'JSON', ''].filter(isFormatName)).toEqual([]);
  });
});
