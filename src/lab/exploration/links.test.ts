import { expect, test } from 'vitest';
import { pinSteps } from './links.ts';

test('steps say which request they mean, and what they take for granted', () => {
  expect(
    pinSteps([
      { authorize: {} },
      { trigger: 'approve' },
      { await: 'callback' },
      { as: 'bad', authorize: { drop: ['iss'] }, expect: 'denied' },
      { control: false, authorize: { text: '{' } },
      { trigger: { action: 'deny', of: 'step1' } },
      { trigger: 'move-sim' },
    ]),
  ).toEqual([
    { as: 'step1', authorize: {}, expect: { outcome: 'accepted', rule: 'TRN-014' } },
    { trigger: { of: 'step1', action: 'approve' } },
    { of: 'step1', await: 'callback' },
    { as: 'bad', authorize: { drop: ['iss'] }, expect: 'denied' },
    { as: 'step5', control: false, authorize: { text: '{' } },
    { trigger: { action: 'deny', of: 'step1' } },
    { trigger: 'move-sim' },
  ]);
});
