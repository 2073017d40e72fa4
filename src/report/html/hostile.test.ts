import { expect, it } from 'vitest';
import { withEveryMessage } from '../../testing/carriers/hostile-carrier.ts';
import { pageTexts, tagsOf, testHostilePage } from '../../testing/pages/hostile-page.ts';
import { htmlReport } from '../../testing/pages/html-page.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';

// hostile.nightly.test.ts does the same with a real run, whose page is thirty times as long.
testHostilePage(withEveryMessage(sampleResult), pageTexts);

it('tells what a carrier sent apart from what the page is made of', () => {
  const page = htmlReport(sampleResult);
  expect(tagsOf(page.replace('Staging carrier', '<b>'))).not.toEqual(tagsOf(page));
  expect(tagsOf(page.replace('<h1>', '<h1 onclick="x">'))).not.toEqual(tagsOf(page));
});
