import { describe, expect, test } from 'vitest';
import type { CorrelationKeys } from '../../model/interface.ts';
import { createCorrelator } from './correlator.ts';

describe('the request that a delivery is for', () => {
  test('by auth_req_id first, then by bearer, then by state', () => {
    const { add, find } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    add('id', { authReqId: 'i' });
    add('bearer', { bearer: 'b' });
    add('state', { state: 's' });
    const all: CorrelationKeys = { authReqId: 'i', bearer: 'b', state: 's' };
    expect(find(all)).toBe('id');
    expect(find({ bearer: 'b', state: 's' })).toBe('bearer');
    expect(find({ state: 's' })).toBe('state');
    expect(find({ ...all, authReqId: 'unknown' })).toBe('bearer');
    expect(find({ authReqId: 'unknown', bearer: 'unknown', state: 's' })).toBe('state');
  });

  test('nothing known, nothing found', () => {
    const { add, find } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    add('one', { state: 's' });
    expect(find({})).toBeUndefined();
    expect(find({ authReqId: 's', bearer: 's' })).toBeUndefined();
  });

  test('keys of one request are added as they become known', () => {
    const { add, find } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    add('one', { bearer: 'b', state: 's' });
    add('one', { authReqId: 'i' });
    expect([find({ authReqId: 'i' }), find({ bearer: 'b' }), find({ state: 's' })]).toEqual(['one', 'one', 'one']);
  });

  test('a key that two requests share stays with the first: a replayed object has its bearer and state', () => {
    const { add, find } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    add('first', { authReqId: 'i1', bearer: 'b', state: 's' });
    add('replay', { authReqId: 'i2', bearer: 'b', state: 's' });
    expect(find({ bearer: 'b', state: 's' })).toBe('first');
    expect(find({ authReqId: 'i2', bearer: 'b', state: 's' })).toBe('replay');
  });

  test('a late delivery of a request that is over is unmatched, even where another request has its token', () => {
    const { add, find, forget, disown } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    const before = { authReqId: 'i', bearer: 'Z', state: 'a state of one' };
    add('one', before);
    forget('one', before);
    disown({ bearer: 'Y', state: 'a state of a run before' });
    add('two', { bearer: 'Z', state: 'null' });
    add('three', { bearer: 'Y', state: 'x' });
    expect(find(before)).toBeUndefined();
    expect(find({ ...before, state: 'null' })).toBeUndefined();
    expect(find({ ...before, authReqId: 'unknown' })).toBeUndefined();
    expect(find({ authReqId: 'unknown', bearer: 'Y', state: 'a state of a run before' })).toBeUndefined();
  });

  test('a delivery with other wrong keys is for the request whose token it has', () => {
    const { add, find, forget } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    const before = { authReqId: 'i', bearer: 'Z', state: 'a state of one' };
    add('one', before);
    forget('one', before);
    add('two', { bearer: 'Z', state: 'a state of two' });
    expect(find({ authReqId: 'unknown', bearer: 'Z', state: 'unknown' })).toBe('two');
    // Two requests share one auth_req_id: it belongs to the unfinished one.
    add('two', { authReqId: 'i' });
    expect(find(before)).toBe('two');
  });

  test('a delivery that overtakes the response of a replayed object is for this replay', () => {
    const { add, answered, find } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    const keys = { bearer: 'b', state: 's' };
    add('first', keys);
    answered('first', keys);
    add('first', { authReqId: 'i' });
    add('replay', keys);
    expect([find({ ...keys, authReqId: 'i' }), find({ ...keys, authReqId: 'j' }), find(keys)]).toEqual([
      'first',
      'replay',
      'first',
    ]);
    answered('replay', keys);
    expect(find({ ...keys, authReqId: 'j' })).toBe('first');
  });

  test('a forgotten request is found by none of its keys', () => {
    const { add, find, forget } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    const correlationKeys = { authReqId: 'i', bearer: 'b', state: 's' };
    add('one', correlationKeys);
    forget('one', correlationKeys);
    expect(find(correlationKeys)).toBeUndefined();
  });

  test('forgetting a request leaves the keys that belong to another', () => {
    const { add, find, forget } = createCorrelator<string>(['authReqId', 'bearer', 'state']);
    add('first', { bearer: 'b1', state: 'null' });
    add('second', { bearer: 'b2', state: 'null' });
    forget('second', { bearer: 'b2', state: 'null' });
    expect(find({ bearer: 'b2' })).toBeUndefined();
    expect(find({ state: 'null' })).toBe('first');
  });
});
