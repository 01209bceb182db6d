import ShopAPI

extension Catalogue {
    /// The ten products of the astronomy shop. Ids, names, prices, categories and picture names are the OpenTelemetry
    /// demo's, for the wire; descriptions and pictures are ours.
    static let astronomy: [Product] = [
        product(
            "0PUK6V6EV0", "Solar System Color Imager", dollars: 175, cents: 0, "SolarSystemColorImager.jpg",
            ["accessories", "telescopes"],
            """
            Bring the planets home with you. This colour camera slides into the focuser in place of an eyepiece and \
            streams Saturn's rings and Jupiter's cloud belts to your laptop at 60 frames a second. Stack a minute of \
            video and details appear that no single glance can hold.
            """,
        ),
        product(
            "1YMWWN1N4O", "Eclipsmart Travel Refractor Telescope", dollars: 129, cents: 95,
            "EclipsmartTravelRefractorTelescope.jpg", ["telescopes", "travel"],
            """
            A whole solar observatory that fits under an airline seat. The built-in, certified white-light filter \
            makes sunspots and every phase of an eclipse safe to watch, and the padded backpack carries tube, tripod \
            and eyepiece to wherever the shadow falls.
            """,
        ),
        product(
            "2ZYFJ3GM2N", "Roof Binoculars", dollars: 209, cents: 95, "RoofBinoculars.jpg", ["binoculars"],
            """
            Ten times closer, with both eyes open. Phase-coated roof prisms keep the barrels slim and the stars \
            pin-sharp to the edge, and the nitrogen-filled body shrugs off dew and rain. Sweep the Milky Way from a \
            deck chair; no setting-up required.
            """,
        ),
        product(
            "66VCHSJNUP", "Starsense Explorer Refractor Telescope", dollars: 349, cents: 95, "StarsenseExplorer.jpg",
            ["telescopes"],
            """
            Set your phone in the dock and let it read the sky. It recognises the star patterns overhead, draws an \
            arrow to tonight's best sights, and tells you when the 80 mm lens is on target. Your first galaxy is a \
            gentle push away, without star charts or motors.
            """,
        ),
        product(
            "6E92ZMYYFZ", "Solar Filter", dollars: 69, cents: 95, "SolarFilter.jpg", ["accessories", "telescopes"],
            """
            Look at the one star you must never look at unprotected. The metal-coated film stops all but a hundred \
            thousandth of the sunlight and meets ISO 12312-2, leaving a crisp golden disc with its spots. Three \
            padded screws hold it safely on tubes of 8 inches.
            """,
        ),
        product(
            "9SIQT8TOJO", "Optical Tube Assembly", dollars: 3599, cents: 0, "OpticalTubeAssembly.jpg",
            ["accessories", "telescopes", "assembly"],
            """
            The instrument for the rest of your observing life. Eleven inches of hand-figured mirror behind a Schmidt \
            corrector gather over a thousand times the light of your eye, and the f/2.2 prime focus turns faint \
            nebulae into ten-second exposures. Mount not included; dark sky strongly advised.
            """,
        ),
        product(
            "HQTGWGPNH4", "The Comet Book", dollars: 0, cents: 99, "TheCometBook.jpg", ["books"],
            """
            Five hundred years of omens, science and wonder in one small volume. Hand-coloured woodcuts of great \
            comets face the orbits we know today, with a calendar of the visitors still to come. Keep it beside the \
            telescope for the nights that cloud over.
            """,
        ),
        product(
            "L9ECAV7KIM", "Lens Cleaning Kit", dollars: 21, cents: 95, "LensCleaningKit.jpg", ["accessories"],
            """
            Everything between you and the stars should be glass, not fingerprints. The kit pairs an ammonia-free \
            fluid with a soft air bulb, a retractable brush and three microfibre cloths. It is gentle on coatings and \
            small enough to live in the eyepiece case.
            """,
        ),
        product(
            "LS4PSXUNUM", "Red Flashlight", dollars: 57, cents: 8, "RedFlashlight.jpg", ["accessories", "flashlights"],
            """
            Twenty minutes of waiting for your eyes to adapt, and one white light undoes it. This one glows deep red, \
            dims from map-reading bright to barely there, and doubles as a hand warmer and a phone charger. Your \
            night vision, and everyone else's, stays as it was.
            """,
        ),
        product(
            "OLJCESPC7Z", "National Park Foundation Explorascope", dollars: 101, cents: 96,
            "NationalParkFoundationExplorascope.jpg", ["telescopes"],
            """
            A first telescope that survives the trip to the trailhead. The stubby 60 mm tube spots a nesting eagle \
            by day and the Moon's craters by night, upright and without set-up. A part of every sale goes to keeping \
            the parks' skies dark.
            """,
        ),
    ]

    private static func product(
        _ id: String, _ name: String, dollars: Int64, cents: Int32, _ picture: String, _ categories: [String],
        _ description: String,
    ) -> Product {
        Product(
            id: id, name: name, description: description, picture: picture,
            priceUsd: Money(currencyCode: Currency.usDollar.code, units: dollars, nanos: cents * 10_000_000),
            categories: categories,
        )
    }
}
