import { describe, expect, it } from 'vitest';
import { dangersIn, hostileTexts, poisonResult } from '../../testing/carriers/hostile.ts';
import { fromHostileCarrier, hostileMarkup, withEveryMessage } from '../../testing/carriers/hostile-carrier.ts';
import { unpackedTexts, htmlReport, withoutAssets, withoutPacked } from '../../testing/pages/html-page.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';

/** Attacks specific to HTML, beside those on other formats. */
const markup: Readonly<Record<string, string>> = {
  'an image in an attribute': '"><img src=x onerror=window.owned=1>',
  'a handler in an attribute': "' onmouseover='window.owned=1",
  'the end of a script': '</script><script>window.owned=1</script>',
  'a comment that hides the end of a script': '<!--<script>',
  'the end of a style': '</style><style>*{display:none}</style>',
  'the end of everything': '</title></textarea></details></noscript><iframe src=//x.test>',
  'a link that runs': '<a href="javascript:window.owned=1">x</a>',
  templates: '`;window.owned=1;`{{window.owned=1}}',
};

/** Tags of a page with their attribute names. No text of ours has a `>` in a tag. */
const tags = (page: string): readonly string[] =>
  withoutPacked(page)
    .match(/<[^>]*>/g)
    ?.map((tag) => tag.replace(/="[^"]*"/g, '')) ?? [];

describe('what a carrier sent', () => {
  const texts = { ...hostileTexts, ...hostileMarkup, ...markup };
  const { 'a very long text': long = '', ...short } = texts;
  // A page of a real run is thirty times as long, so all short texts come at once and the long one is shorter.
  const clean = {
    'made by hand': { result: withEveryMessage(sampleResult), texts },
    'of a real run': {
      result: withEveryMessage(shippedSample),
      texts: { 'a long text': long.slice(0, 5000), 'all others at once': Object.values(short).join(' ') },
    },
  };
  const attacks = { instead: fromHostileCarrier, behind: poisonResult };

  describe.each(Object.entries(clean))('in a result %s', (_, { result, texts: sent }) => {
    describe.each(Object.entries(attacks))('with a text %s', (__, attack) => {
      const expected = tags(withoutAssets(htmlReport(attack(result, ' harmless'))));

      it.each(Object.entries(sent))('stays text, visible and bounded: %s', (___, text) => {
        const page = htmlReport(attack(result, ` ${text}`));
        expect(tags(withoutAssets(page))).toEqual(expected);
        expect([withoutAssets(page), ...unpackedTexts(page)].flatMap(dangersIn)).toEqual([]);
        expect(page.length).toBeLessThan(4_000_000);
        expect(page.endsWith('</script>\n</body>\n</html>\n')).toBe(true);
      });
    });
  });

  it('is told apart from what the page is made of', () => {
    const page = htmlReport(sampleResult);
    expect(tags(page.replace('Staging carrier', '<b>'))).not.toEqual(tags(page));
    expect(tags(page.replace('<h1>', '<h1 onclick="x">'))).not.toEqual(tags(page));
  });
});
