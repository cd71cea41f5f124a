"""Tables of settled facts for the factual questions."""

ELEMENTS = (
    ("hydrogen", "H", 1), ("helium", "He", 2), ("lithium", "Li", 3), ("beryllium", "Be", 4),
    ("boron", "B", 5), ("carbon", "C", 6), ("nitrogen", "N", 7), ("oxygen", "O", 8),
    ("fluorine", "F", 9), ("neon", "Ne", 10), ("sodium", "Na", 11), ("magnesium", "Mg", 12),
    ("aluminium", "Al", 13), ("silicon", "Si", 14), ("phosphorus", "P", 15), ("sulfur", "S", 16),
    ("chlorine", "Cl", 17), ("argon", "Ar", 18), ("potassium", "K", 19), ("calcium", "Ca", 20),
    ("scandium", "Sc", 21), ("titanium", "Ti", 22), ("vanadium", "V", 23), ("chromium", "Cr", 24),
    ("manganese", "Mn", 25), ("iron", "Fe", 26), ("cobalt", "Co", 27), ("nickel", "Ni", 28),
    ("copper", "Cu", 29), ("zinc", "Zn", 30), ("gallium", "Ga", 31), ("germanium", "Ge", 32),
    ("arsenic", "As", 33), ("selenium", "Se", 34), ("bromine", "Br", 35), ("krypton", "Kr", 36),
    ("rubidium", "Rb", 37), ("strontium", "Sr", 38), ("zirconium", "Zr", 40), ("silver", "Ag", 47),
    ("tin", "Sn", 50), ("iodine", "I", 53), ("xenon", "Xe", 54), ("caesium", "Cs", 55),
    ("barium", "Ba", 56), ("tungsten", "W", 74), ("platinum", "Pt", 78), ("gold", "Au", 79),
    ("mercury", "Hg", 80), ("lead", "Pb", 82), ("radon", "Rn", 86), ("uranium", "U", 92),
)  # fmt: skip
"""Name, symbol, atomic number."""

_AFRICA, _ASIA, _EUROPE = "Africa", "Asia", "Europe"
_NORTH, _SOUTH = "North America", "South America"

CAPITALS = (
    ("France", "Paris", _EUROPE), ("Spain", "Madrid", _EUROPE), ("Italy", "Rome", _EUROPE),
    ("Austria", "Vienna", _EUROPE), ("Poland", "Warsaw", _EUROPE), ("Norway", "Oslo", _EUROPE),
    ("Finland", "Helsinki", _EUROPE), ("Portugal", "Lisbon", _EUROPE),
    ("Hungary", "Budapest", _EUROPE), ("Greece", "Athens", _EUROPE),
    ("Ireland", "Dublin", _EUROPE), ("Romania", "Bucharest", _EUROPE),
    ("Croatia", "Zagreb", _EUROPE), ("Slovenia", "Ljubljana", _EUROPE),
    ("Egypt", "Cairo", _AFRICA), ("Kenya", "Nairobi", _AFRICA), ("Ghana", "Accra", _AFRICA),
    ("Ethiopia", "Addis Ababa", _AFRICA), ("Senegal", "Dakar", _AFRICA),
    ("Morocco", "Rabat", _AFRICA), ("Tunisia", "Tunis", _AFRICA), ("Uganda", "Kampala", _AFRICA),
    ("Zambia", "Lusaka", _AFRICA), ("Mali", "Bamako", _AFRICA), ("Rwanda", "Kigali", _AFRICA),
    ("Japan", "Tokyo", _ASIA), ("Thailand", "Bangkok", _ASIA), ("Vietnam", "Hanoi", _ASIA),
    ("Mongolia", "Ulaanbaatar", _ASIA), ("Nepal", "Kathmandu", _ASIA), ("Iran", "Tehran", _ASIA),
    ("Iraq", "Baghdad", _ASIA), ("Jordan", "Amman", _ASIA), ("Laos", "Vientiane", _ASIA),
    ("Bhutan", "Thimphu", _ASIA), ("Oman", "Muscat", _ASIA), ("Bangladesh", "Dhaka", _ASIA),
    ("Canada", "Ottawa", _NORTH), ("Mexico", "Mexico City", _NORTH), ("Cuba", "Havana", _NORTH),
    ("Honduras", "Tegucigalpa", _NORTH), ("Nicaragua", "Managua", _NORTH),
    ("Jamaica", "Kingston", _NORTH), ("Costa Rica", "San José", _NORTH),
    ("Brazil", "Brasília", _SOUTH), ("Argentina", "Buenos Aires", _SOUTH),
    ("Peru", "Lima", _SOUTH), ("Uruguay", "Montevideo", _SOUTH), ("Ecuador", "Quito", _SOUTH),
    ("Paraguay", "Asunción", _SOUTH), ("Venezuela", "Caracas", _SOUTH),
    ("Colombia", "Bogotá", _SOUTH),
)  # fmt: skip
"""Country, capital, continent; none that lies on two."""

EVENTS = (
    ("the Battle of Hastings", 1066), ("the sealing of Magna Carta", 1215),
    ("the fall of Constantinople to the Ottomans", 1453), ("Columbus's first voyage", 1492),
    ("Luther's ninety-five theses", 1517), ("the defeat of the Spanish Armada", 1588),
    ("the Great Fire of London", 1666), ("the storming of the Bastille", 1789),
    ("the American Declaration of Independence", 1776), ("the Battle of Waterloo", 1815),
    ("the opening of the Suez Canal", 1869), ("the first modern Olympic Games", 1896),
    ("the sinking of the Titanic", 1912), ("the opening of the Panama Canal", 1914),
    ("the discovery of penicillin", 1928), ("the Wall Street Crash", 1929),
    ("the founding of the United Nations", 1945), ("the launch of Sputnik 1", 1957),
    ("the first human landing on the Moon", 1969), ("the fall of the Berlin Wall", 1989),
    ("the death of Julius Caesar", -44), ("the coronation of Charlemagne as emperor", 800),
    ("the founding of Bologna's university", 1088),
    ("the First Crusade's capture of Jerusalem", 1099),
    ("the outbreak of the Black Death in Sicily", 1347), ("the Battle of Agincourt", 1415),
    ("the Peace of Westphalia", 1648), ("the Lisbon earthquake", 1755),
    ("Mendeleev's periodic table", 1869), ("the abolition of the Corn Laws in Britain", 1846),
    ("the completion of the Eiffel Tower", 1889),
    ("Lindbergh's solo flight across the Atlantic", 1927),
    ("the October Revolution in Russia", 1917), ("the Cuban missile crisis", 1962),
    ("the Chernobyl disaster", 1986), ("the release of Nelson Mandela from prison", 1990),
    ("the founding of the Ming dynasty", 1368), ("the Battle of Lepanto", 1571),
    ("the first ascent of Mount Everest", 1953), ("the Treaty of Versailles", 1919),
    ("the Battle of Marathon", -490), ("the eruption of Vesuvius over Pompeii", 79),
    ("the Edict of Milan", 313), ("the Congress of Vienna's final act", 1815),
    ("the first flight of the Wright brothers", 1903),
    ("the unification of Germany as an empire", 1871),
)  # fmt: skip
"""Event and year; before the common era negative."""

WORKS = (
    ("Hamlet", "William Shakespeare", 1601), ("Don Quixote", "Miguel de Cervantes", 1605),
    ("Paradise Lost", "John Milton", 1667), ("Candide", "Voltaire", 1759),
    ("Faust, Part One", "Johann Wolfgang von Goethe", 1808),
    ("Pride and Prejudice", "Jane Austen", 1813), ("Frankenstein", "Mary Shelley", 1818),
    ("Moby-Dick", "Herman Melville", 1851), ("Madame Bovary", "Gustave Flaubert", 1857),
    ("War and Peace", "Leo Tolstoy", 1869), ("Dracula", "Bram Stoker", 1897),
    ("Ulysses", "James Joyce", 1922), ("The Metamorphosis", "Franz Kafka", 1915),
    ("Nineteen Eighty-Four", "George Orwell", 1949), ("The Stranger", "Albert Camus", 1942),
    ("The Divine Comedy", "Dante Alighieri", 1321), ("The Decameron", "Giovanni Boccaccio", 1353),
    ("The Birth of Venus", "Sandro Botticelli", 1485), ("The Night Watch", "Rembrandt", 1642),
    ("Girl with a Pearl Earring", "Johannes Vermeer", 1665),
    ("The Starry Night", "Vincent van Gogh", 1889), ("The Scream", "Edvard Munch", 1893),
    ("Guernica", "Pablo Picasso", 1937), ("The Third of May 1808", "Francisco Goya", 1814),
    ("Las Meninas", "Diego Velázquez", 1656), ("The Magic Flute", "Wolfgang Amadeus Mozart", 1791),
    ("The Creation", "Joseph Haydn", 1798), ("Messiah", "George Frideric Handel", 1741),
    ("Carmen", "Georges Bizet", 1875), ("La Traviata", "Giuseppe Verdi", 1853),
    ("The Rite of Spring", "Igor Stravinsky", 1913), ("Swan Lake", "Pyotr Tchaikovsky", 1877),
    ("Rhapsody in Blue", "George Gershwin", 1924), ("The Threepenny Opera", "Kurt Weill", 1928),
    ("Waiting for Godot", "Samuel Beckett", 1953), ("A Doll's House", "Henrik Ibsen", 1879),
    ("The Cherry Orchard", "Anton Chekhov", 1904), ("Les Misérables", "Victor Hugo", 1862),
    ("Great Expectations", "Charles Dickens", 1861), ("Beloved", "Toni Morrison", 1987),
    ("One Hundred Years of Solitude", "Gabriel García Márquez", 1967),
    ("Things Fall Apart", "Chinua Achebe", 1958), ("The Kiss", "Gustav Klimt", 1908),
    ("The Raft of the Medusa", "Théodore Géricault", 1819), ("Utopia", "Thomas More", 1516),
    ("Gulliver's Travels", "Jonathan Swift", 1726), ("Robinson Crusoe", "Daniel Defoe", 1719),
    ("The Arnolfini Portrait", "Jan van Eyck", 1434),
)  # fmt: skip
"""Work, maker, year."""

COUNTS = (
    ("legs of a spider", 8), ("sides of a hexagon", 6), ("strings of a violin", 4),
    ("players of one football team on the pitch", 11), ("squares of a chessboard", 64),
    ("black keys of a full-size piano", 36), ("cards of a standard deck without jokers", 52),
    ("planets of the Solar System", 8), ("letters of the English alphabet", 26),
    ("bones of an adult human body", 206), ("faces of a cube", 6), ("hours of a week", 168),
    ("permanent members of the UN Security Council", 5), ("US states", 50),
    ("lines of a sonnet", 14), ("legs of an insect", 6), ("chambers of a human heart", 4),
    ("pawns of one player in chess", 8), ("degrees of a right angle", 90),
    ("edges of a cube", 12), ("arms of a squid, its two tentacles not counted", 8),
    ("events of a decathlon", 10), ("faces of an icosahedron", 20), ("syllables of a haiku", 17),
    ("seconds of an hour", 3600), ("zeros of a million", 6),
)  # fmt: skip
"""What is counted, and how many there are."""
