// @ts-check
// Searches in lists that are in order.

/**
 * The number of items of a list that come up to a value: the index of the first one after it.
 *
 * @template Item
 * @param {ArrayLike<Item>} list In the order of `key`.
 * @param {number} value
 * @param {(item: Item) => number} key
 */
export function countUpTo(list, value, key) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
