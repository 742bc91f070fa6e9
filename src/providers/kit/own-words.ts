/** For who may not look into the words: delivery puts them in when a message is tried. */
export { inOwnWords } from '../../message/own-words.ts';
