import { expect, test } from 'vitest';
import { tamperNames, tamperDescriptions } from './tamper.ts';

test('C5.6: every change to a JWS has words for what it does, and no other name has', () =>
  expect(Object.keys(tamperDescriptions).toSorted()).toEqual([...tamperNames].toSorted()));
