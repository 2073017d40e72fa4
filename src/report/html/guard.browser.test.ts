import { expect, it, describe } from 'vitest';
import { copyJson, isJsonObject, renderPlain } from '../../lib/json.ts';
import { axeScript, describeInChromium, openAll, openReport, filterRules } from '../../testing/pages/browser.ts';
import { poisonResult } from '../../testing/carriers/hostile.ts';
import { fromHostileCarrier, withEveryMessage } from '../../testing/carriers/hostile-carrier.ts';
import { buildFooter } from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';
import { completeSample } from '../../testing/results/spaced-result.ts';

/** Contrast of all marks and texts in pictures to their background; axe ignores SVG. Grid lines and washes carry no meaning. */
const contrasts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour, under) => {
    canvas.globalAlpha = 1;
    canvas.fillStyle = under ?? '#fff';
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (parts) => parts
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return colour;
    }
    return '#fff';
  };
  const quiet = '.grid, .rule-line, .track, .allowed, .window, .pending, .blur';
  return [...document.querySelectorAll('svg text, svg path, svg rect, svg circle')]
    .filter((element) => !element.matches(quiet) && element.checkVisibility())
    .map((element) => {
      const style = getComputedStyle(element);
      const under = behind(element.closest('svg').parentElement);
      const colour = style.fill === 'none' ? style.stroke : style.fill;
      const alpha = Number(style.opacity);
      const front = rgb(colour, under).map((part, at) => part * alpha + rgb(under)[at] * (1 - alpha));
      const [one, other] = [light(front), light(rgb(under))].toSorted((a, b) => b - a);
      return {
        what: element.tagName + '.' + element.getAttribute('class'),
        colour, under,
        ratio: Math.round(((one + 0.05) / (other + 0.05)) * 100) / 100,
        least: element.tagName === 'text' ? 4.5 : 3,
      };
    });
})()`;

const countPages = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;

const probe = (at: number, held: boolean) => ({ at, held, response: '' });

/** A result with every kind of picture: areas, limits, the run, a case with a window. */
const withPictures = {
  ...completeSample,
  footer: buildFooter({
    areas: { 'server-initiated': buildFooter().score },
    limits: [
      {
        name: 'iat-age',
        title: 'How old iat may be',
        rules: [],
        state: 'limit',
        value: 300,
        uncertainty: 20,
        unit: 's',
        words: 'refuses',
        probes: [probe(1, true), probe(900, false)],
      },
      {
        name: 'kid',
        title: 'kid',
        rules: [],
        state: 'beyond',
        value: 8192,
        unit: 'characters',
        words: 'accepts',
        probes: [probe(8192, true)],
      },
    ],
  }),
} as const;

const hostile = [
  '</script><script>window.owned=1</script><img src=x onerror="window.owned=1">',
  '"><iframe src="https://evil.test/"></iframe><a href="javascript:window.owned=1">x</a><style>*{display:none}</style>',
].join('');

describeInChromium('the HTML report in Chromium, whoever reads it and whoever sent what is in it', () => {
  it('has no violation that axe finds, light or dark', async () => {
    const { page } = await openReport(completeSample, '', { bypassCSP: true });
    await openAll(page);
    // Judge content out of sight as well.
    await page.evaluate(
      'for (const rule of document.querySelectorAll(".rule")) rule.style.contentVisibility = "visible"',
    );
    await page.addScriptTag({ path: axeScript });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(
        'axe.run().then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))',
      );
      const { violations, passed } = isJsonObject(found) ? found : {};
      expect(passed).toContain('color-contrast');
      expect([colorScheme, violations]).toEqual([colorScheme, []]);
    }
  });

  it('has enough contrast inside its pictures, light or dark', async () => {
    const { page } = await openReport(withPictures, '', { bypassCSP: true });
    await openAll(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(contrasts);
      const list = Array.isArray(found) ? found.filter(isJsonObject) : [];
      expect(list.length).toBeGreaterThan(20);
      expect(list.filter(({ ratio, least }) => Number(ratio) < Number(least))).toEqual([]);
    }
  });

  describe.each(Object.entries({ instead: fromHostileCarrier, behind: poisonResult }))(
    'with a text %s',
    (_, attack) => {
      it('lets nothing a carrier sent become markup, script, link or style', async () => {
        const { page, trouble } = await openReport(attack(withEveryMessage(completeSample), ` ${hostile}`));
        await openAll(page);
        expect(await page.locator('.message').count()).toBeGreaterThan(5);
        expect(await page.evaluate('window.owned')).toBeUndefined();
        const foreign = 'img, iframe, object, embed, base, link, video, audio, [onerror], [style]';
        expect(await page.locator(foreign).count()).toBe(0);
        // Links stay in this page, because there is no site.
        const given = await page.evaluate('[...document.links].map((link) => link.getAttribute("href"))');
        const hrefs = Array.isArray(given) ? given.map((href: unknown) => renderPlain(copyJson(href))) : [];
        expect(hrefs.length).toBeGreaterThan(20);
        expect(hrefs.filter((href) => !href.startsWith('#'))).toEqual([]);
        expect(await page.locator('script:not([type="application/octet-stream"])').count()).toBe(1);
        expect(await page.locator('style').count()).toBe(1);
        expect(trouble).toEqual([]);
      });
    },
  );

  it('runs nothing even where markup got in', async () => {
    const { page, trouble } = await openReport(sampleResult);
    const attempt =
      'try { document.body.innerHTML += "<img src=x onerror=window.owned=1>" } catch (error) { error.name }';
    expect(await page.evaluate(attempt)).toBe('TypeError');
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(trouble.join()).toContain('TrustedHTML');
  });

  it('shows outcome, rules, verdicts and findings without JavaScript', async () => {
    const { page } = await openReport(sampleResult, '', { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toBe('Not conformant 2 required rules are broken.');
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('details.rule:visible').count()).toBe(10);
    expect(await page.getByText('expected denied, got accepted 200').first().isVisible()).toBe(true);
    expect(await page.getByText('need JavaScript; result.json has all of it').isVisible()).toBe(true);
  });

  it('opens nothing for paper unless all of it is asked for', async () => {
    const { page } = await openReport(sampleResult);
    await page.pdf();
    expect(await filterRules(page, 'rule.open')).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('main').isVisible()).toBe(false);
    expect(await page.locator('.sheet').count()).toBe(2);
    expect(await page.locator('.sheet').first().isVisible()).toBe(true);
  });

  it('prints three pages, and all that did not hold where that is asked for', async () => {
    const { page } = await openReport(shippedSample);
    expect(countPages(await page.pdf())).toBe(3);
    await page.evaluate('window.print = () => undefined');
    await page.getByRole('button', { name: 'Print all' }).click();
    expect(countPages(await page.pdf())).toBeGreaterThan(6);
  });

  it('opens the rules that did not hold for paper where all is asked for', async () => {
    const { page } = await openReport(sampleResult);
    await page.evaluate('window.print = () => undefined');
    await page.getByRole('button', { name: 'Print all' }).click();
    await page.pdf();
    expect(await filterRules(page, 'rule.open')).toEqual(['REQ-015', 'REQ-009', 'RSP-003']);
    expect(await page.locator('#case-jti-repeated .message').count()).toBe(2);
  });

  it('fits a window of 1280, 768 and 390 pixels', async () => {
    const { page } = await openReport(completeSample);
    await openAll(page);
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });
});
