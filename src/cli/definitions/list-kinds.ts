/** Kinds of named things, in the order of explanation. */
const entryKindNames = [
  'rule',
  'case',
  'invariant',
  'area',
  'family',
  'clause',
  'interpretation',
  'decision',
  'member',
  'oauth-error',
  'fault',
  'variant',
  'freedom',
  'action',
  'client',
  'tag',
  'feature',
  'tamper',
  'key',
  'outcome',
  'limit',
  'profile',
  'risk',
  'code',
  'command',
  'term',
] as const;

export type EntryKindName = (typeof entryKindNames)[number];

/** Kinds of `list --kind`: `coverage` counts rules by the way they are judged. */
export const listKinds = [...entryKindNames, 'coverage'] as const;
