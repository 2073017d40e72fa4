import type { Manifest } from '../../certificate/manifest.ts';
import { certificateWords } from '../../certificate/words.ts';
import { type Page, renderParagraph } from '../../report/layout.ts';

function renderList(page: Page, heading: string, sentences: readonly string[]): readonly string[] {
  const lines = sentences.flatMap((sentence) => {
    const [first = '', ...rest] = renderParagraph(page, sentence, { indent: 4 });
    return [`  - ${first.slice(4)}`, ...rest];
  });
  return ['', page.paint.bold(heading), ...lines];
}

/** A certificate in words, for a terminal: what is certified, then what is not. */
export function renderCertificate(page: Page, manifest: Manifest): readonly string[] {
  const { title, certified, notCertified } = certificateWords(manifest);
  const tone = manifest.outcome === 'conformant' ? page.paint.green.bold : page.paint.red.bold;
  return [
    tone(`Certified: ${title}`),
    ...renderList(page, 'What is certified', certified),
    ...renderList(page, 'What is not', notCertified),
  ];
}
