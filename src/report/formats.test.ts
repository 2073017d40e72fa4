import { describe, expect, it } from 'vitest';
import { buildResult } from '../testing/result.ts';
import { formats, isFormatName } from './formats.ts';

describe('formats', () => {
  it.each([
    ['terminal', /^carrierspec 0\.1\.0 {2}run /],
    ['json', /^\{\n"format":"carrierspec-result",\n/],
    ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /],
  ] as const)('%s makes its report', async (name, start) => {
    const render = await formats[name]();
    expect([...render(buildResult())].join('')).toMatch(start);
  });

  it('knows its names, and nothing of an object', () => {
    expect(Object.keys(formats).filter(isFormatName)).toEqual(['terminal', 'json', 'junit']);
    expect(['toString', '__proto__', 'JSON', ''].filter(isFormatName)).toEqual([]);
  });
});
