import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../testing/carriers/hostile.ts';
import { hostileMarkup, withEveryMessage } from '../testing/carriers/hostile-carrier.ts';
import { renderReport, reportShapes, testHostileTexts } from '../testing/results/report-shapes.ts';
import { sampleResult } from '../testing/results/sample-result.ts';
import type { FormatName } from './formats.ts';

// hostile.nightly.test.ts does the same with a real run, whose reports are thirty times as long.
testHostileTexts(withEveryMessage(sampleResult), { ...hostileTexts, ...hostileMarkup });

describe('the parsers of this test', () => {
  it('see what gets through', async () => {
    const report = (format: FormatName): Promise<string> => renderReport(format, sampleResult);
    const broken = {
      junit: (await report('junit')).replace('<system-out>', '<system-out><b/>'),
      markdown: (await report('markdown')).replace('jti that is repeated', '[x](http://evil.test)'),
      sarif: (await report('sarif')).replace('expected denied', '[x](http://evil.test)'),
      annotations: `${await report('annotations')}::error::x\n`,
    } as const;
    for (const format of ['junit', 'markdown', 'sarif', 'annotations'] as const) {
      expect(reportShapes[format](broken[format])).not.toEqual(reportShapes[format](await report(format)));
    }
  });
});
