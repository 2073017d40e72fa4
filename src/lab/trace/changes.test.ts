import { describe, expect, test } from 'vitest';
import type { CarrierDefinition } from '../../carrier/carrier.ts';
import {
  replaceClaimCheck,
  withBuilders,
  addClaimCheck,
  dropChecks,
  withPipeline,
  withPolicy,
} from '../../carrier/seams/definition-parts.ts';
import { strictCarrier } from '../../carrier/strict-carrier.ts';
import { definitionChanges } from './changes.ts';

const changed = (edit: (definition: CarrierDefinition) => CarrierDefinition) =>
  definitionChanges(strictCarrier, edit(strictCarrier)).map(({ part, instead, builder }) => ({
    part,
    ...(instead === undefined ? {} : { instead: instead.map(({ name }) => name) }),
    ...(builder === undefined ? {} : { builder: typeof builder }),
  }));

describe('where a changed definition differs', () => {
  test('nowhere, where nothing changed', () => expect(changed((definition) => ({ ...definition }))).toEqual([]));

  test('a value of the policy', () =>
    expect(changed(withPolicy({ jtiWindow: 120 }))).toEqual([{ part: 'policy.jtiWindow' }]));

  test('a check that was taken out leaves nothing in its place', () =>
    expect(changed(dropChecks('aud-is-the-issuer'))).toEqual([
      { part: 'pipeline.onClaims/aud-is-the-issuer', instead: [] },
    ]));

  test('a check that was replaced', () =>
    expect(changed(replaceClaimCheck('aud-is-the-issuer', () => undefined))).toEqual([
      { part: 'pipeline.onClaims/aud-is-the-issuer', instead: ['aud-is-the-issuer'] },
    ]));

  test('a check that was added stands behind the one before it', () =>
    expect(changed(addClaimCheck('another', () => undefined))).toEqual([
      { part: 'pipeline.onClaims/one-login-hint', instead: ['one-login-hint', 'another'] },
    ]));

  test('a check that was added first stands before the one behind it', () =>
    expect(
      changed(withPipeline(({ onObject }) => ({ onObject: [{ name: 'another', run: () => undefined }, ...onObject] }))),
    ).toEqual([
      { part: 'pipeline.onObject/type-is-a-request-object', instead: ['another', 'type-is-a-request-object'] },
    ]));

  test('checks in another order, or added where there were none, change the list', () => {
    expect(changed(withPipeline(({ onClaims }) => ({ onClaims: onClaims.toReversed() })))).toEqual([
      { part: 'pipeline.onClaims' },
    ]);
    const added = withPipeline(() => ({ onBody: [{ name: 'another', run: () => undefined }] }));
    expect(changed(added)).toEqual([{ part: 'pipeline.onBody' }]);
  });

  test('a builder that was replaced', () =>
    expect(changed(withBuilders(() => ({ callbackCopies: () => 0 })))).toEqual([
      { part: 'builders.callbackCopies', builder: 'function' },
    ]));

  test('a reader that was replaced; one that takes its time is not asked', () => {
    const { readBody, readKey } = strictCarrier.pipeline;
    expect(changed(withPipeline(() => ({ readBody: { ...readBody, read: readBody.read.bind(undefined) } })))).toEqual([
      { part: `pipeline/${readBody.name}`, instead: [readBody.name] },
    ]);
    const slow = {
      name: readKey.name,
      read: async (context: Parameters<typeof readKey.read>[0]) => readKey.read(context),
    };
    expect(changed(withPipeline(() => ({ readKey: slow })))).toEqual([{ part: `pipeline/${readKey.name}` }]);
  });
});
