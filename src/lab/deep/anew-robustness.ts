import { markDeep } from '../edit/fault-table.ts';

export const anewRobustnessFaults = markDeep('robustness', []);
