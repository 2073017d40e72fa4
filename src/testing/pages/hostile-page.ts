import { describe, expect, it } from 'vitest';
import type { Result } from '../../model/result.ts';
import { dangersIn, hostileTexts, poisonResult } from '../carriers/hostile.ts';
import { fromHostileCarrier, hostileMarkup } from '../carriers/hostile-carrier.ts';
import { htmlReport, unpackedTexts, withoutAssets, withoutPacked } from './html-page.ts';

/** Attacks specific to HTML, beside those on other formats. */
const htmlMarkup: Readonly<Record<string, string>> = {
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
export const tagsOf = (page: string): readonly string[] =>
  withoutPacked(page)
    .match(/<[^>]*>/g)
    ?.map((tag) => tag.replace(/="[^"]*"/g, '')) ?? [];

/** All attack texts for a page. */
export const pageTexts: Readonly<Record<string, string>> = { ...hostileTexts, ...hostileMarkup, ...htmlMarkup };

/** Attacks replace everything a carrier controls, or extend every free text of the result. */
const attacks = { instead: fromHostileCarrier, behind: poisonResult };

/** Tests that these texts of a carrier stay texts on the page of a result. */
export function testHostilePage(result: Result, texts: Readonly<Record<string, string>>): void {
  describe.each(Object.entries(attacks))('what a carrier sent, with a text %s', (_, attack) => {
    const expected = tagsOf(withoutAssets(htmlReport(attack(result, ' harmless'))));

    it.each(Object.entries(texts))('stays text, visible and bounded: %s', (__, text) => {
      const page = htmlReport(attack(result, ` ${text}`));
      expect(tagsOf(withoutAssets(page))).toEqual(expected);
      expect([withoutAssets(page), ...unpackedTexts(page)].flatMap(dangersIn)).toEqual([]);
      expect(page.length).toBeLessThan(4_000_000);
      expect(page.endsWith('</script>\n</body>\n</html>\n')).toBe(true);
    });
  });
}
