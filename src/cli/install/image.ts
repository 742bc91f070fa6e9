/** The image of the release that this program is of, by its digest: a release's build puts it here. Empty in a checkout. */
export const releasedImage: string = process.env.TOCSIN_RELEASED_IMAGE ?? '';
