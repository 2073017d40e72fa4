import { forHtml } from '../shared/sanitize.ts';

/** Markup of ours. There is one way to make it from a text: `html`, which escapes every text put into it. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | readonly Content[];

export const nothing: Markup = { markup: '' };

function render(content: Content): string {
  if (typeof content === 'string') return forHtml(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(render).join('');
}

/** A piece of HTML: what stands in the template is markup, every value put into it is text. Attributes are quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return { markup: strings.map((part, index) => part + render(values[index] ?? '')).join('') };
}

/** The parts with `separator` between them. */
export function join(parts: readonly Content[], separator: Content): readonly Content[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}
