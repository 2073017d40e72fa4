import type { Difference } from '../../../model/suite.ts';
import type { Template } from '../../../model/template.ts';

/** Every template of a difference. */
export const templatesOf = (difference: Difference): readonly Template[] => [
  ...[difference.claims, difference.raw, difference.header, difference.beside, difference.query, difference.headers]
    .flatMap((map) => map ?? [])
    .map(([, template]) => template),
  ...[difference.append, difference.request, difference.body, difference.text, difference.jwk].flatMap(
    (template) => template ?? [],
  ),
];

/** Roots that a case has before its first step. */
const before: ReadonlySet<string> = new Set([
  'now',
  'client',
  'subscriber',
  'clients',
  'subscribers',
  'target',
  'each',
  'jws',
]);

/** It reads nothing that a step leaves. */
export const readsOnly = ({ paths }: Template): boolean => paths.every(([root = '']) => before.has(root));
