import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forHtml, forLines } from '../shared/sanitize.ts';
import { html, joinContent, caseAnchor, messageAnchor } from './links.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '`', '\n', 'a') }),
);

describe('html', () => {
  it('escapes every text, and leaves markup and numbers', () => {
    const text = '<b a="1">&';
    expect(html`<p title="${text}">${text}${html`<i>${1}</i>`}${['x', '<']}</p>`.markup).toBe(
      '<p title="&lt;b a=&quot;1&quot;&gt;&amp;">&lt;b a=&quot;1&quot;&gt;&amp;<i>1</i>x&lt;</p>',
    );
  });

  it('joins with a separator that is text as well', () => {
    expect(html`${joinContent(['a', 'b', 'c'], ' < ')}`.markup).toBe('a &lt; b &lt; c');
  });
});

describe('forHtml', () => {
  it('lets no markup through, whatever the text', () => {
    fc.assert(fc.property(anyText, (text) => !/[<>"'`\n]|&(?!(?:amp|lt|gt|quot|#39|#96);)/.test(forHtml(text))));
  });
});

describe('forLines', () => {
  it('keeps line feeds, shows everything else that is unseen, and is bounded', () => {
    expect(forLines('a\nb\r\t\u202ec')).toBe('a\nb\\u{d}\\u{9}\\u{202e}c');
    expect(forLines('abcdef', 3)).toBe('abc… (3 more characters)');
  });
});

describe('anchors', () => {
  it('keep names that can stand in an address, and make the others so', () => {
    expect(caseAnchor('iat-too-old/5m30s-old')).toBe('case-iat-too-old/5m30s-old');
    expect(caseAnchor('a b"<#&')).toBe('case-a~20b~22~3c~23~26');
    expect(messageAnchor('iat-too-old/day-old#x2')).toBe('x2');
  });

  it('are bounded, and still differ', () => {
    const [one, other] = [caseAnchor(`${'x'.repeat(9000)}1`), caseAnchor(`${'x'.repeat(9000)}2`)];
    expect(one).not.toBe(other);
    expect(one.length).toBeLessThan(200);
  });
});
